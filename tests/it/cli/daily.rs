//! The commands of every day, lists, contacts and members, on a running server and on the file of a stopped one.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::objects::{on_both, refused, shown, told, words};
use super::{bad, folder, good, set_up};

#[test]
fn lists_are_made_listed_shown_changed_and_deleted() {
    on_both(|data| {
        let made = shown(data, "list create news --description 'Our news' --archive-protected true");
        assert_eq!((&made["name"], &made["description"]), (&json!("news"), &json!("Our news")));
        assert_eq!(made["archive_protected"], true);
        let sentence = told(data, "list create staff");
        assert!(sentence.contains("mail to staff@lists.example.org reaches its members"), "{sentence}");
        assert!(sentence.contains("crier member add staff ADDRESS"), "{sentence}");
        assert!(sentence.contains("Its kind is discussion"), "{sentence}");

        let all = shown(data, "list list");
        assert_eq!((&all["count"], &all["data"][1]["name"]), (&json!(2), &json!("staff")));
        let table = told(data, "list list --search our");
        assert!(table.starts_with("NAME  DESCRIPTION"), "{table}");
        assert!(table.contains("Our news") && !table.contains("staff"), "{table}");

        let set = shown(
            data,
            "list set news --reply-to office@example.org --moderate 10 \
             --restrict-post-allowed-emails a@x.org --restrict-post-allowed-emails b@x.org --rename club",
        );
        assert_eq!((&set["name"], &set["reply_to"]), (&json!("club"), &json!("office@example.org")));
        assert_eq!(set["restrict_post_allowed_emails"], json!(["a@x.org", "b@x.org"]));
        assert_eq!(set["description"], "Our news", "what is not named stays");
        let set = shown(data, "list set club --reply-to '' --restrict-post-allowed-emails ''");
        assert_eq!((&set["reply_to"], &set["restrict_post_allowed_emails"]), (&Value::Null, &json!([])));
        assert_eq!(shown(data, "list show club"), set);
        let told_of = told(data, "list show club");
        for line in [
            "address  club@lists.example.org",
            "moderate  10: the addresses of",
            "contacts  0",
            "maxlength  4096 KB",
        ] {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert!(
                told_of.lines().any(|shown| words(shown).starts_with(&words(line))),
                "{line} in {told_of}"
            );
        }
        assert!(told(data, "list show staff").contains("6: its members may post"));

        refused(data, "list delete club", (2, "with 0 memberships"));
        assert!(told(data, "list delete club --yes").contains("List club is gone"));
        refused(data, "list show club", (1, "there is no list \"club\"; there is staff"));
    });
}

#[test]
fn an_invalid_list_is_refused_with_every_reason() {
    on_both(|data| {
        told(data, "list create news");
        refused(data, "list create news", (1, "error: NAME: news is taken by a list or an alias"));
        refused(data, "list create 'a b'", (1, "error: NAME "));
        refused(data, "list set news", (2, "nothing to change: name what is to change"));
        refused(data, "list set news --maxlength many", (2, "--maxlength \"many\" must be a number of KB"));
        refused(
            data,
            "list set news --archive-enabled maybe",
            (2, "--archive-enabled \"maybe\" must be true or false"),
        );
        refused(data, "list set news --subscriptions sometimes", (1, "--subscriptions must be one of"));
        refused(
            data,
            "list set news --archive-password-file /nowhere",
            (2, "must be a file that can be read"),
        );
        assert_eq!(shown(data, "list list")["count"], 1, "nothing was made");
    });
}

#[test]
fn the_password_of_an_archive_is_read_from_a_file() {
    on_both(|data| {
        let file = format!("{data}/secret");
        std::fs::write(&file, "open sesame\n").unwrap();
        told(data, &format!("list create news --archive-password-file {file}"));
        std::fs::remove_file(file).unwrap();
        let help = good(&["list", "set", "--help"]);
        assert!(!help.contains("--archive-password "), "no argument holds a password: {help}");
    });
}

#[test]
fn contacts_are_made_found_shown_changed_and_deleted() {
    on_both(|data| {
        told(data, "list create news");
        told(data, "field add 'Shoe size' --id shoe");
        let made = shown(
            data,
            "contact create ada@example.org a@x.org --firstname Ada --list news --custom-field 'Shoe size=38'",
        );
        assert_eq!((&made["firstname"], &made["shoe"]), (&json!("Ada"), &json!("38")));
        assert_eq!(made["emails"][1]["email"], "a@x.org");
        assert_eq!(made["lists"][0]["list"], "news");
        told(data, "contact create bob@example.org");

        assert_eq!(shown(data, "contact list --list news")["count"], 1);
        assert_eq!(shown(data, "contact list --search ad")["data"][0]["firstname"], "Ada");
        let table = told(data, "contact list");
        assert!(table.contains("ada@example.org, a@x.org") && table.contains("news"), "{table}");
        let words = words("contact list --limit 1", data);
        let super::Output { stderr, .. } = super::run(&words);
        assert!(super::text(&stderr).contains("These are 1 of 2: --page 2"), "{}", super::text(&stderr));

        let set = shown(data, "contact set A@X.org --surname Lovelace --custom-field shoe=39");
        assert_eq!((&set["surname"], &set["shoe"]), (&json!("Lovelace"), &json!("39")));
        assert_eq!(shown(data, "contact show ada@example.org"), set);
        assert_eq!(shown(data, "contact show 1"), set);
        refused(
            data,
            "contact set 1 --custom-field hat=1",
            (1, "there is no custom field \"hat\"; there is shoe"),
        );
        refused(data, "contact create bob@example.org", (1, "bob@example.org"));
        refused(data, "contact show eve@example.org", (1, "no contact has the address eve@example.org"));
        refused(data, "contact create nobody", (1, "must"));

        refused(data, "contact delete bob@example.org", (2, "Delete bob@example.org"));
        told(data, "contact delete bob@example.org --yes");
        assert_eq!(shown(data, "contact list")["count"], 1);
    });
}

#[test]
fn contacts_with_custom_identifiers_are_found_by_their_addresses_too() {
    on_both(|data| {
        told(data, "account set --ccid true");
        told(data, "list create news");
        told(data, "contact create ada@example.org --ccid c1");
        told(data, "contact create bob@example.org");
        for address in ["ada@example.org", "bob@example.org"] {
            told(data, &format!("contact set {address} --surname X"));
            told(data, &format!("member add news {address}"));
            assert_eq!(shown(data, &format!("contact show {address}"))["surname"], "X");
        }
        assert_eq!(shown(data, "member show news c1")["contact"], "c1");
    });
}

#[test]
fn members_are_added_listed_changed_and_removed() {
    on_both(|data| {
        told(data, "list create news");
        told(data, "contact create bob@example.org");
        let made = shown(data, "member add news ada@example.org --firstname Ada --digest 1");
        assert_eq!((&made["list"], &made["digest"]), (&json!("news"), &json!(1)));
        assert!(
            told(data, "member add news bob@example.org").contains("bob@example.org is a member of news now")
        );
        assert_eq!(shown(data, "contact list")["count"], 2, "a contact that is there is not made again");

        assert_eq!(shown(data, "member list news")["count"], 2);
        let table = told(data, "member list news");
        assert!(table.contains("ada@example.org") && table.contains("daily"), "{table}");
        let set = shown(data, "member set news ada@example.org --digest ''");
        assert_eq!(set["digest"], Value::Null);
        assert_eq!(shown(data, "member show news ada@example.org"), set);

        refused(data, "member remove news bob@example.org", (2, "Take bob@example.org off news?"));
        told(data, "member remove news bob@example.org --yes");
        refused(data, "member show news bob@example.org", (1, "bob@example.org is no member of news"));
        refused(data, "member list nothing", (1, "list"));
        assert!(told(data, "contact show bob@example.org").contains("bob@example.org"), "the contact stays");

        let (code, told) = bad(&words("member add news eve@example.org nobody zoe@example.org", data));
        assert_eq!(code, 1);
        assert!(told.contains("error: nobody: "), "{told}");
        assert_eq!(shown(data, "member list news")["count"], 3, "one wrong address stops no other");
        refused(data, "member add news zoe@example.org", (1, "zoe@example.org is a member of news already"));
        refused(data, "member add old zoe@example.org", (1, "there is no list \"old\"; there is news"));
        refused(
            data,
            "member add news x@example.org y@example.org --firstname X",
            (2, "those of one person"),
        );
        assert_eq!(shown(data, "member list news")["count"], 3, "nobody was added");
    });
}

#[test]
fn a_paused_address_is_shown_as_paused_and_can_be_resumed() {
    on_both(|data| {
        told(data, "list create news");
        told(data, "member add news ada@example.org");
        assert!(!told(data, "member show news ada@example.org").contains("No mail goes"));
        let set = shown(data, "email set ada@example.org --paused true");
        assert_eq!((&set["email"], &set["paused"]), (&json!("ada@example.org"), &json!(true)));
        for command in
            ["member show news ada@example.org", "contact show ada@example.org", "email show ada@example.org"]
        {
            let told = told(data, command);
            assert!(told.contains("No mail goes to ada@example.org; somebody paused it."), "{told}");
            assert!(told.contains("crier email set ada@example.org --paused false"), "{told}");
        }
        assert_eq!(shown(data, "email set ada@example.org --paused false")["paused"], false);
        refused(data, "email show eve@example.org", (1, "there is no address \"eve@example.org\""));
        refused(data, "email set ada@example.org", (2, "nothing to change"));
    });
}

#[test]
fn a_member_takes_a_pause_of_one_list() {
    on_both(|data| {
        told(data, "list create news");
        told(data, "member add news ada@example.org");
        told(data, "member add news bob@example.org --paused true");
        assert_eq!(shown(data, "member set news ada@example.org --paused true")["paused"], true);
        assert_eq!(shown(data, "member set news bob@example.org --paused false")["paused"], false);
        let all = told(data, "member list news");
        assert!(all.contains("PAUSED") && all.contains("bob@example.org"), "{all}");
        let paused = told(data, "member list news --paused true");
        assert!(paused.contains("ada@example.org") && paused.contains("yes"), "{paused}");
        assert!(!paused.contains("bob@example.org"), "{paused}");
        assert_eq!(shown(data, "member list news --paused false")["count"], 1);
        assert!(!shown(data, "email show ada@example.org")["paused"].as_bool().unwrap());
        refused(data, "member set news ada@example.org", (2, "give --digest or --paused"));
    });
}

#[test]
fn aliases_are_made_listed_changed_and_deleted() {
    on_both(|data| {
        let made =
            shown(data, "alias create office --destination ada@example.org --destination bob@example.org");
        assert_eq!(made["destination"], json!(["ada@example.org", "bob@example.org"]));
        assert!(told(data, "alias list").contains("office  ada@example.org, bob@example.org"));
        let set = shown(data, "alias set office --destination eve@example.org --rename desk");
        assert_eq!((&set["source"], &set["destination"]), (&json!("desk"), &json!(["eve@example.org"])));
        refused(data, "alias show office", (1, "there is no alias \"office\"; there is desk"));
        refused(data, "alias create x", (2, "--destination"));
        refused(data, "alias delete desk", (2, "Delete the alias desk?"));
        assert!(told(data, "alias delete desk --yes").contains("The alias desk is gone"));
        assert_eq!(shown(data, "alias list")["count"], 0);
    });
}

/// Hands over a post to the list news.
fn post(data: &str, subject: &str) {
    let message =
        format!("From: ada@example.org\nTo: news@lists.example.org\nSubject: {subject}\n\nSee you at six.\n");
    let mut inject = super::crier(&words("inject news@lists.example.org --from ada@example.org", data));
    let mut child = inject.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(message.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn held_messages_are_listed_shown_approved_rejected_and_discarded() {
    on_both(|data| {
        told(data, "list create news --moderate 7 --restrict-post-lists news");
        told(data, "member add news ada@example.org");
        assert!(told(data, "held list").contains("No message waits for approval"));
        for subject in ["One", "Two", "Three\u{7}"] {
            post(data, subject);
        }
        let held = shown(data, "held list");
        assert_eq!(held["count"], 3);
        let id = |place: usize| held["data"][place]["id"].to_string();
        let table = told(data, "held list");
        assert!(table.starts_with("ID  LIST  FROM") && table.contains("Two"), "{table}");
        let one = told(data, &format!("held show {}", id(0)));
        assert!(one.contains("See you at six.") && one.contains("ada@example.org"), "{one}");

        let approved = told(data, &format!("held approve {}", id(0)));
        assert!(approved.contains("(One) is approved"), "{approved}");
        let rejected = shown(data, &format!("held reject {} --reason 'Not here'", id(1)));
        assert_eq!(rejected["state"], "rejected");
        assert!(told(data, &format!("held discard {}", id(2))).contains("is discarded"));
        assert_eq!(shown(data, "held list")["count"], 0);
        assert_eq!(shown(data, "held list --state approved")["count"], 1);
        refused(data, &format!("held approve {}", id(1)), (1, "was rejected already"));
        refused(data, "held show 99", (1, "there is no held message \"99\""));
        refused(data, "held approve one", (1, "there is no held message \"one\""));
        assert!(told(data, "pending list").contains("No request waits for approval"));
    });
}

#[test]
fn environment_variables_do_not_change_the_usage_in_errors() {
    let (_folder, data) = folder();
    let output = super::crier(&["list", "create"]).env("CRIER_DATA", &data).output().unwrap();
    let told = super::text(&output.stderr);
    assert!(told.contains("Usage: crier list create [OPTIONS] <NAME>"), "{told}");
    assert!(!told.contains("--data"), "{told}");
}

#[test]
fn where_there_are_several_accounts_one_has_to_be_named() {
    on_both(|data| {
        told(data, "list create news");
        told(data, "account create club --domain club.example.org --admin ada@example.org");
        for command in ["list list", "contact list", "key list", "admin list", "field list", "domain list"] {
            refused(
                data,
                command,
                (1, "this server has several accounts: name one of example, club with --account"),
            );
        }
        assert_eq!(shown(data, "list list --account example")["count"], 1);
        assert_eq!(shown(data, "list list --account club")["count"], 0);
        refused(
            data,
            "list list --account clubs",
            (1, "there is no account \"clubs\"; there is example, club"),
        );
    });
}

#[test]
fn a_list_command_says_which_account_there_is_before_setup() {
    let (_folder, data) = folder();
    let server = super::Server::start(&data);
    refused(&data, "list list", (1, "there is no account yet: run crier setup first"));
    assert_eq!(server.stop().code(), Some(0));
    set_up(&data);
    assert_eq!(shown(&data, "list list")["count"], 0);
}

#[test]
fn every_command_tells_its_help_at_80_columns() {
    let mut paths: Vec<Vec<String>> = vec![Vec::new()];
    let mut seen = 0;
    while let Some(path) = paths.pop() {
        seen += 1;
        let arguments: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
        let help = good(&arguments);
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "crier {}: {line:?}", path.join(" "));
        }
        let commands =
            help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        for line in commands {
            // A line that is indented further goes on with what the command before it does.
            let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '));
            let name = name.and_then(|line| line.split(' ').next()).filter(|name| *name != "help");
            paths.extend(name.map(|name| path.iter().cloned().chain([name.to_owned()]).collect()));
        }
        assert!(path.is_empty() || help.contains("Examples:\n  crier "), "crier {}", path.join(" "));
    }
    assert!(60 < seen, "{seen} commands");
}
