//! The settings of lists: one row for each. How to read a row, and all that is made of it, stands in
//! [`model::fields`](crate::model::fields).

use crate::model::fields::topics;

topics! {
    /// The topics of the settings of lists.
    Topic {
        /// What a list is called.
        Identity,
        /// Who decides in place of the administrators.
        Moderator,
        /// What stands above and below messages.
        Footers,
        /// How large messages may be.
        Size,
        /// What becomes of messages.
        Content,
        /// What members can do and see.
        Members,
        /// Who may post, and what becomes of the posts of others.
        Posting,
        /// What is held, and whose addresses the rules of posting name.
        Holding,
        /// Patterns that hold messages.
        Patterns,
        /// Texts of mails to members and senders.
        Mails,
        /// Whether senders are mailed.
        Sending,
        /// The archive.
        Archive,
        /// The lists whose members may post.
        Lists,
    }
}

/// Hands the settings of lists to a macro, in the order of the record and of the API's object.
macro_rules! list_fields {
    ($then:ident $($args:tt)*) => {
        $then! {
            [$($args)*]
            new(id: ListId, account: AccountId, name: ListName, created: Timestamp)
            texts "set-list-"
            topics Topic
            kept {
                /// Service identifier.
                id: ListId = id;
                /// The account it belongs to.
                account: AccountId = account;
            }
            set {
                /// Name: letters, digits, underscores, periods and hyphens, up to 64 of them. It is what stands
                /// before the @.
                name: ListName = name, by parsed(ListName::parse), in Identity, on name 2;
                /// Topic of the list, on one line.
                description: String = String::new(), by parsed(line(LINE_CHARS_MAX)), in Identity, on name 1;
                /// Identifier of your own, unique, up to 48 characters; null where there is none.
                clid: Option<String> = None, by nullable(line(CLID_CHARS_MAX)), in Identity, on ids 1;
                /// Any text.
                notes: String = String::new(), by text(), in Identity, on ids 2 .lines(3);
            }
            kept {
                /// When it was made.
                created: Timestamp = created;
                /// Whether it waits for approval and takes no mail.
                pending: bool = false;
            }
            set {
                /// Largest message in KB.
                maxlength: u32 = MAXLENGTH_KB_DEFAULT,
                    by parsed(integer(1, u64::from(MAXLENGTH_KB_MAX))), in Size, on sizes 1;
                /// Bytes that messages are cut to; null for none.
                truncate: Option<u64> = None, by nullable(integer(1, u64::MAX)), in Content, on sizes 2;
                /// Text put before every subject.
                subject_prefix: String = String::new(),
                    by parsed(line(LINE_CHARS_MAX)), in Content, on footers 1;
                /// Address of somebody who approves messages in place of the administrators; null for nobody.
                moderator: Option<EmailAddress> = None,
                    by nullable(EmailAddress::parse), in Moderator, on holding 4;
                /// Whether members may see each other, and with addresses; blank for not at all.
                memberview: Option<Memberview> = None,
                    by nullable_or("subs_memberview", word()), in Members, on joining 3 .select(MEMBERVIEW);
                /// Text below every message.
                message_footer: String = String::new(), by template(), in Footers, on footers 3 .lines(4);
                /// HTML below every message.
                message_footer_html: String = String::new(),
                    by template(), in Footers, on html 2 .lines(4);
                /// Text above every message.
                message_fronter: String = String::new(), by template(), in Footers, on footers 2 .lines(3);
                /// HTML above every message.
                message_fronter_html: String = String::new(),
                    by template(), in Footers, on html 1 .lines(3);
                /// Regular expressions, at most 100 of 1,000 characters; a message with a header line that one
                /// matches is held. Each may compile to 256 KiB, and all of a list to 4 MiB. What cannot be judged in
                /// 0.2 seconds is held.
                taboo_headers: Vec<String> = Vec::new(), by patterns(), in Patterns, on patterns 1;
                /// The same for the text of a message: the first 1 MiB of its text parts, decoded; of HTML the
                /// source, and the text as a reader sees it. A message with more text is held.
                taboo_body: Vec<String> = Vec::new(), by patterns(), in Patterns, on patterns 2;
                /// Where replies go; null for the sender.
                reply_to: Option<EmailAddress> = None,
                    by nullable(EmailAddress::parse), in Content, on posting 2;
                /// Whether attachments are taken off.
                strip_attachments: bool = false, by boolean(), in Content, on content 1;
                /// Whether people may join by themselves, or with approval; null for what the account says.
                subscriptions: Option<Subscriptions> = None,
                    by nullable(word()), in Members, on joining 1 .choices(JOINING);
                /// Whether people may leave by themselves; null for what the account says.
                unsubscriptions: Option<Subscriptions> = None,
                    by nullable(word()), in Members, on joining 2 .select(LEAVING);
                /// Whether the sender's address is always replaced by the list's, or only where it has to be.
                rewrite_sender: bool = false, by boolean(), in Content, on content 2;
                /// Where the author goes when the sender's address is replaced.
                original_sender_mode: OriginalSenderMode = OriginalSenderMode::ReplyTo,
                    by parsed(word()), in Content, on content 3 .select(SENDER_MODES);
                /// Whether messages of machines are held.
                hold_automated: bool = false, by boolean(), in Holding, on holding 1;
                /// Whether replies to mail of the list are held.
                hold_replies: bool = false, by boolean(), in Holding, on holding 2;
                /// Addresses that may post, where moderate has 2 and 8.
                restrict_post_allowed_emails: Vec<EmailAddress> = Vec::new(),
                    by parsed_texts(EmailAddress::parse), in Holding, on posting 1;
                /// Addresses that may not post, where moderate has 16.
                restrict_post_banned_emails: Vec<EmailAddress> = Vec::new(),
                    by parsed_texts(EmailAddress::parse), in Holding, on others 1;
                /// Names of lists whose members may post, where moderate has 2 and 4.
                restrict_post_lists: Vec<ListId> = vec![id], by lists(), in Lists, on bits 2;
                /// Rules for who may post, the sum of: 0 everybody, 1 every message is held, 2 only specific senders,
                /// 4 namely members of `restrict_post_lists`, 8 namely `restrict_post_allowed_emails`, 16 never
                /// `restrict_post_banned_emails`.
                moderate: Moderate = Moderate(Moderate::SPECIFIC_SENDERS | Moderate::LISTS),
                    by parsed(moderate), in Posting, on bits 1 .sum(BITS);
                /// Treatment of messages that the restrictions forbid.
                message_rejections: MessageRejections = MessageRejections::Hold,
                    by parsed(word()), in Posting, on others 2 .choices(REJECTIONS);
                /// How administrators are notified of messages and requests that wait for approval; null for what the
                /// account says.
                notify_approval: Option<NotifyApproval> = None,
                    by nullable(word()), in Posting, on holding 5 .select(NOTICES);
                /// Text of the mail to new members; null for the built-in one.
                welcome_message: Option<String> = None,
                    by nullable_template(), in Mails, on welcome 2 .lines(5);
                /// Subject of the mail to new members; null for the built-in one.
                welcome_message_subject: Option<String> = None,
                    by nullable_template(), in Mails, on welcome 1;
                /// Subject of the mails that ask for a confirmation; null for the built-in one.
                confirmation_subject: Option<String> = None, by nullable_template(), in Mails, on asking 1;
                /// Text of the mails that ask for a confirmation; null for the built-in one.
                confirmation_message: Option<String> = None,
                    by nullable_template(), in Mails, on asking 2 .lines(5);
                /// Text of the mail to somebody whose message is held; null for the built-in one.
                hold_message: Option<String> = None, by nullable_template(), in Mails, on held 2 .lines(5);
                /// Subject of the mail to somebody whose message is held; null for the built-in one. $SUBJECT is
                /// blank here: no stranger's words stand in it.
                hold_subject: Option<String> = None, by nullable_template(), in Mails, on held 1;
                /// Whether the sender of a held message is mailed: one whom SPF or DMARC proves, others rarely.
                send_hold_message: bool = false, by boolean(), in Sending, on holding 6;
                /// Text of the mail to somebody whose message is rejected; null for the built-in one.
                reject_message: Option<String> = None,
                    by nullable_template(), in Mails, on rejected 2 .lines(5);
                /// Subject of the mail to somebody whose message is rejected; null for the built-in one. $SUBJECT is
                /// blank here.
                reject_subject: Option<String> = None, by nullable_template(), in Mails, on rejected 1;
                /// Whether the sender of a rejected message is mailed: one whom SPF or DMARC proves, others rarely.
                send_reject_message: bool = false, by boolean(), in Sending, on holding 7;
                /// Whether merge tags work in contents and subjects.
                merge_tags_enabled: bool = false, by boolean(), in Content, on names 1;
                /// Text used for the name of a member that has none.
                merge_tags_default_name: String = String::new(),
                    by parsed(line(LINE_CHARS_MAX)), in Content, on names 2;
                /// Whether messages are archived.
                archive_enabled: bool = true, by boolean(), in Archive, on archive 1;
                /// Whether archives hide addresses.
                archive_spammode: bool = true, by boolean(), in Archive, on archive 5;
                /// Whether archives are closed to the public.
                archive_protected: bool = false, by boolean(), in Archive, on archive 2;
            }
            kept {
                /// Argon2id hash of the password that opens the archive.
                archive_password_hash: Option<String> = None;
            }
            set {
                /// Whether members may read protected archives.
                archive_memberview: bool = false, by boolean(), in Archive, on archive 3;
                /// Whether the public list of archives leaves this one out.
                archive_index_noshow: bool = false, by boolean(), in Archive, on archive 6;
                /// Number of first messages of each member that are held, from 0 to 20. It is kept, and has no effect
                /// before a later version.
                hold_new: u8 = 0, by parsed(integer(0, 20)), in Holding, on holding 3 .without_effect();
            }
        }
    };
}
pub(crate) use list_fields;
