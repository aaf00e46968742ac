//! `crier list create` by kinds, and words and sizes in place of the API's numbers.

use serde_json::{Value, json};

use super::objects::{on_both, refused, shown, told};

#[test]
fn a_list_begins_by_its_kind_with_the_defaults_of_the_page() {
    on_both(|data| {
        let kinds = [
            (
                "announcements",
                json!({"moderate": 10, "restrict_post_allowed_emails": ["you@example.org"],
                "hold_replies": true, "reply_to": null, "subscriptions": "open+confirm"}),
            ),
            (
                "discussion",
                json!({"moderate": 6, "restrict_post_lists": ["discussion"],
                "reply_to": "discussion@lists.example.org", "subscriptions": "open+confirm"}),
            ),
            ("moderated", json!({"moderate": 7, "subscriptions": "open+confirm"})),
            (
                "private",
                json!({"moderate": 6, "subscriptions": "closed", "memberview": "withemail",
                "archive_index_noshow": true}),
            ),
        ];
        for (kind, fields) in &kinds {
            let made = shown(data, &format!("list create {kind} --kind {kind}"));
            for (name, value) in fields.as_object().unwrap() {
                assert_eq!(&made[name], value, "{kind}: {name}");
            }
            for name in
                ["archive_protected", "archive_memberview", "send_hold_message", "send_reject_message"]
            {
                assert_eq!(made[name], true, "{kind}: {name}");
            }
            let footer = made["message_footer"].as_str().unwrap();
            assert!(footer.contains("$LIST") && footer.contains("$UNSUBSCRIBE"), "{footer}");
        }
        // Without a kind it is a discussion, and says so.
        let sentence = told(data, "list create plain");
        let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(sentence.contains("Its kind is discussion: its members may post;"), "{sentence}");
        assert!(sentence.contains("members alone read the archive"), "{sentence}");
        assert!(sentence.contains("--kind: announcements, moderated, private"), "{sentence}");
        // Other flags say otherwise.
        let open =
            "list create open --kind private --subscriptions open --archive-protected false --reply-to ''";
        let made = shown(data, open);
        assert_eq!((&made["subscriptions"], &made["archive_protected"]), (&json!("open"), &json!(false)));
        assert_eq!((&made["reply_to"], &made["memberview"]), (&Value::Null, &json!("withemail")));
        refused(data, "list create x --kind secret", (2, "--kind \"secret\" must be one of announcements, "));
        told(data, "account set --language de");
        let footer = shown(data, "list create deutsch")["message_footer"].clone();
        assert!(footer.as_str().unwrap().contains("Verlassen: $UNSUBSCRIBE"), "{footer}");
    });
}

#[test]
fn who_writes_is_said_in_words() {
    on_both(|data| {
        let made = shown(data, "list create news --who-writes moderators");
        assert_eq!(made["moderate"], 1);
        told(data, "list create other");
        told(
            data,
            "list set news --restrict-post-lists other --moderate 22 --restrict-post-banned-emails eve@x.org",
        );
        for (words, moderate) in [
            ("everybody", 16),
            ("members", 22),
            ("members-approved", 23),
            ("addresses", 26),
            ("moderators", 17),
        ] {
            let set = shown(data, &format!("list set news --who-writes {words}"));
            assert_eq!(set["moderate"], moderate, "{words}: those who are banned stay so");
        }
        let set = shown(data, "list set news --who-writes members");
        assert_eq!(set["restrict_post_lists"], json!(["news"]), "its own members");
        let set = shown(data, "list set news --who-writes members --restrict-post-lists other");
        assert_eq!(set["restrict_post_lists"], json!(["other"]));
        refused(
            data,
            "list set news --who-writes friends",
            (2, "--who-writes \"friends\" must be one of everybody, "),
        );
        refused(data, "list set news --who-writes members --moderate 6", (2, "give one of them"));
        refused(
            data,
            "list set nope --who-writes members",
            (1, "there is no list \"nope\"; there is news, other"),
        );
    });
}

#[test]
fn answers_go_to_the_list_by_a_word() {
    on_both(|data| {
        let own = "news@lists.example.org";
        assert_eq!(shown(data, "list create news --reply-to list")["reply_to"], own);
        assert_eq!(
            shown(data, "list set news --reply-to office@example.org")["reply_to"],
            "office@example.org"
        );
        assert_eq!(shown(data, "list set news --reply-to list")["reply_to"], own);
        assert_eq!(shown(data, "list set news --reply-to ''")["reply_to"], Value::Null);
    });
}

#[test]
fn sizes_have_units() {
    on_both(|data| {
        let made = shown(data, "list create news --maxlength 5MB --truncate 64KB");
        assert_eq!((&made["maxlength"], &made["truncate"]), (&json!(5120), &json!(65536)));
        let set = shown(data, "list set news --maxlength 77 --truncate ''");
        assert_eq!((&set["maxlength"], &set["truncate"]), (&json!(77), &Value::Null));
        refused(
            data,
            "list set news --maxlength 60MB",
            (2, "--maxlength \"60MB\" must be a number of KB, or a size"),
        );
    });
}
