//! The operator's objects, on a running server and on the file of a stopped one.

use serde_json::{Value, json};

use super::{Server, bad, folder, good, set_up};

/// Has `check` look at a server that runs and at one that is stopped; both are set up, and sound at the end.
pub(super) fn on_both(check: impl Fn(&str)) {
    for runs in [true, false] {
        let (_folder, data) = folder();
        set_up(&data);
        let server = runs.then(|| Server::start(&data));
        check(&data);
        if let Some(server) = server {
            assert_eq!(server.stop().code(), Some(0));
        }
        assert!(good(&["verify", "--data", &data]).starts_with("All is well"));
    }
}

/// The words of a command line; quoted ones hold blanks.
pub(super) fn words<'a>(line: &'a str, data: &'a str) -> Vec<&'a str> {
    let mut words: Vec<&str> = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words.extend(["--data", data]);
    words
}

#[track_caller]
pub(super) fn told(data: &str, line: &str) -> String {
    good(&words(line, data))
}

#[track_caller]
pub(super) fn shown(data: &str, line: &str) -> Value {
    super::json(&told(data, &format!("{line} --json")))
}

#[track_caller]
pub(super) fn refused(data: &str, line: &str, expected: (i32, &str)) {
    let (code, told) = bad(&words(line, data));
    assert_eq!(code, expected.0, "{line}: {told}");
    assert!(told.contains(expected.1), "{line}: {told}");
}

#[test]
fn accounts_are_made_listed_shown_changed_and_deleted() {
    on_both(|data| {
        let made = shown(
            data,
            "account create club --domain club.example.org --admin ada@example.org --timezone Europe/Berlin --ccid true",
        );
        assert_eq!((&made["name"], &made["administrator"]), (&json!("club"), &json!("ada@example.org")));
        assert_eq!((&made["timezone"], &made["ccid"]), (&json!("Europe/Berlin"), &json!(true)));
        let domain = &made["domains"][0];
        assert_eq!((&domain["name"], &domain["is_main"]), (&json!("club.example.org"), &json!(true)));

        let all = shown(data, "account list");
        assert_eq!(all["count"], 2);
        assert_eq!(all["data"][1]["name"], "club");
        let table = told(data, "account list");
        assert!(table.starts_with("ID  NAME"), "{table}");
        assert!(table.contains("ada@example.org"), "{table}");

        let set = shown(
            data,
            "account set club --contacts-max 7 --restrict-contact '@club\\.org$' --rename society",
        );
        assert_eq!((&set["contacts_max"], &set["name"]), (&json!(7), &json!("society")));
        assert_eq!(set["restrict_contact"], json!(["@club\\.org$"]));
        assert_eq!(set["timezone"], "Europe/Berlin", "what is not named stays");
        let set = shown(data, "account set society --restrict-contact '' --custom-image https://x.org/i.png");
        assert_eq!(
            (&set["restrict_contact"], &set["custom_image"]),
            (&json!([]), &json!("https://x.org/i.png"))
        );
        assert_eq!(shown(data, "account show society"), set);

        refused(data, "account delete society", (2, "--yes"));
        assert!(told(data, "account delete society --yes").contains("society is gone"));
        refused(data, "account show society", (1, "there is example"));
    });
}

#[test]
fn an_invalid_account_is_refused_with_every_reason() {
    on_both(|data| {
        refused(
            data,
            "account create example --domain lists.example.org --admin ada@example.org",
            (1, "error: NAME: another account has this name"),
        );
        refused(
            data,
            "account create club --domain lists.example.org --admin ada@example.org",
            (1, "lists.example.org is taken on this server"),
        );
        refused(data, "account create club --domain x --admin y --timezone Mars", (1, "settings are wrong"));
        refused(data, "account set example --timezone Mars", (1, "--timezone must be the IANA name"));
        refused(
            data,
            "account set example --contacts-max 0",
            (1, "--contacts-max must be a whole number from 1"),
        );
        refused(data, "account set example --ccid maybe", (2, "--ccid \"maybe\" must be true or false"));
        refused(data, "account set example", (2, "nothing to change"));
        assert_eq!(shown(data, "account list")["count"], 1, "nothing was made");
    });
}

#[test]
fn an_account_has_domains_of_which_one_is_the_main_one() {
    on_both(|data| {
        let added = shown(data, "domain add --account example mail.example.org");
        assert_eq!((&added["is_main"], &added["is_web"]), (&json!(false), &json!(false)));
        assert_eq!(added["dns"][0]["type"], "MX");
        assert!(told(data, "domain show mail.example.org").contains("_domainkey.mail.example.org"));

        refused(data, "domain delete lists.example.org --yes", (1, "is the main domain"));
        let set = shown(data, "domain set mail.example.org --main --web");
        assert_eq!((&set["is_main"], &set["is_web"]), (&json!(true), &json!(true)));
        let names: Vec<Value> = shown(data, "domain list --account example")["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|domain| json!([domain["name"], domain["is_main"], domain["is_web"]]))
            .collect();
        assert_eq!(
            names,
            [json!(["lists.example.org", false, false]), json!(["mail.example.org", true, true])]
        );
        refused(data, "domain delete lists.example.org", (2, "--yes"));
        told(data, "domain delete lists.example.org --yes");
        refused(data, "domain show lists.example.org", (1, "this server has mail.example.org"));
        refused(
            data,
            "domain add --account example mail.example.org",
            (1, "the account has mail.example.org already"),
        );
        refused(data, "domain add --account example 'a b'", (2, "must be a domain such as"));
        told(data, "account create club --domain club.example.org --admin ada@example.org");
        refused(data, "domain add --account example club.example.org", (1, "is taken on this server"));
    });
}

#[test]
fn commands_that_run_at_once_lose_no_domain() {
    let (_folder, data) = folder();
    set_up(&data);
    let server = Server::start(&data);
    let names: Vec<String> = (0..6).map(|number| format!("mail{number}.example.org")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            let data = data.as_str();
            scope.spawn(move || told(data, &format!("domain add --account example {name}")));
        }
    });
    let listed = shown(&data, "domain list --account example");
    let listed = listed["data"].as_array().unwrap();
    assert!(names.iter().all(|name| listed.iter().any(|domain| domain["name"] == **name)), "{listed:?}");
    assert_eq!(listed.len(), 1 + names.len());
    assert_eq!(server.stop().code(), Some(0));
}

#[test]
fn administrators_are_made_within_limits_and_the_last_one_stays() {
    on_both(|data| {
        let made = shown(
            data,
            "admin create --account example ada@example.org --firstname Ada --notification bounce",
        );
        assert_eq!((&made["username"], &made["api"]), (&json!("ada@example.org"), &json!(0)));
        assert_eq!(made["permissions"].as_array().unwrap().len(), 5, "everything unless something is named");
        assert_eq!(made["notifications"], json!(["bounce"]));
        let all = shown(data, "admin list --account example");
        assert_eq!(all["count"], 3, "you, Ada and the key of setup");

        let set =
            shown(data, "admin set --account example ada@example.org --permission send_messages --surname L");
        assert_eq!((&set["permissions"], &set["firstname"]), (&json!(["send_messages"]), &json!("Ada")));
        refused(
            data,
            "admin set --account example ada@example.org --permission fly",
            (1, "--permission \"fly\" must be one of"),
        );
        refused(
            data,
            "admin create --account example ada@example.org",
            (1, "another administrator has this address"),
        );
        refused(
            data,
            "admin show --account example eve@example.org",
            (1, "there is 1 you@example.org, 2 (Made by setup)"),
        );
        refused(
            data,
            "admin create --account example eve@example.org --limit-list nothing",
            (1, "--limit-list: there is no list nothing"),
        );

        told(data, "admin delete --account example 2 --yes");
        refused(
            data,
            "admin delete --account example you@example.org --yes",
            (1, "the last administrator with account_admin"),
        );
        refused(
            data,
            "admin set --account example you@example.org --permission send_messages",
            (1, "the last administrator with account_admin"),
        );
        told(data, "admin delete --account example ada@example.org --yes");
        assert_eq!(shown(data, "admin list --account example")["count"], 1);
        assert_eq!(shown(data, "admin list --global")["count"], 0);
    });
}

#[test]
fn a_key_is_listed_changed_renewed_and_revoked() {
    let (_folder, data) = folder();
    let first = set_up(&data);
    let server = Server::start(&data);
    let status = |key: &str| server.get("/api/2/lists/", Some(key))[9..12].to_owned();
    let made = shown(&data, "key create --account example --description 'the shop' --expiry-months 1");
    let (id, key) = (made["id"].to_string(), made["api_key"].as_str().unwrap());
    assert_eq!(status(key), "200");

    let listed = shown(&data, "key list --account example");
    assert_eq!(listed["count"], 2, "that of setup too");
    assert_eq!(listed["data"][1]["expiry"], made["expiry"]);
    assert!(!listed.to_string().contains(key), "a key is shown once");
    let shown_key = shown(&data, &format!("key show --account example {id}"));
    assert_eq!((&shown_key["description"], &shown_key["api"]), (&json!("the shop"), &json!(2)));

    let set = shown(
        &data,
        &format!("key set --account example {id} --cidr 192.0.2.0/24 --permission send_messages"),
    );
    assert_eq!((&set["cidr"], &set["permissions"]), (&json!("192.0.2.0/24"), &json!(["send_messages"])));
    assert_eq!(status(key), "401", "from elsewhere");
    told(&data, &format!("key set --account example {id} --cidr ''"));
    assert_eq!(status(key), "200");

    let renewed = shown(&data, &format!("key renew --account example {id}"));
    assert_eq!((&renewed["id"], &renewed["expiry"]), (&made["id"], &Value::Null));
    let newer = renewed["api_key"].as_str().unwrap();
    assert_eq!((status(key), status(newer)), ("401".to_owned(), "200".to_owned()));
    refused(&data, "key renew --account example 1", (1, "1 you@example.org is a person and no key"));
    refused(
        &data,
        "key renew --account example 99",
        (1, "there is no key \"99\"; there is 2 (Made by setup), 3 (the shop)"),
    );

    told(&data, &format!("key revoke --account example {id} --yes"));
    assert_eq!(status(newer), "401");
    assert_eq!(status(first["api_key"].as_str().unwrap()), "200", "others are not concerned");
    let global = shown(&data, "key create --global");
    let accounts = server.get("/api/2/accounts/", global["api_key"].as_str());
    assert!(accounts.starts_with("HTTP/1.1 200"), "{accounts}");
}

#[test]
fn key_commands_refuse_people() {
    on_both(|data| {
        for command in ["revoke 1 --yes", "set 1 --permission send_messages", "show 1", "renew 1"] {
            let line = format!("key {command}");
            refused(data, &line, (1, "administrator 1 you@example.org is a person and no key"));
        }
        let admins = shown(data, "admin list");
        assert_eq!(admins["count"], 2);
        assert_eq!(admins["data"][0]["permissions"].as_array().unwrap().len(), 5, "nothing was changed");
        assert!(told(data, "key revoke 2 --yes").contains("key 2 (Made by setup) is revoked"));
        assert_eq!(shown(data, "key list")["count"], 0);
    });
}

#[test]
fn a_key_that_is_confined_to_a_list_sees_no_other() {
    let (_folder, data) = folder();
    let key = set_up(&data)["api_key"].as_str().unwrap().to_owned();
    let server = Server::start(&data);
    for list in ["news", "staff"] {
        server.post("/api/2/lists/", &key, &format!("name={list}"));
    }
    let confined = told(&data, "key create --account example --limit-list news");
    let lists = server.get("/api/2/lists/?fields=name", Some(confined.trim()));
    assert!(lists.contains("news") && !lists.contains("staff"), "{lists}");
    refused(&data, "key create --account example --limit-list nothing", (1, "there is no list nothing"));
}

#[test]
fn a_custom_field_goes_with_its_values() {
    on_both(|data| {
        assert_eq!(
            shown(data, "field create --account example 'Shoe size' --id shoe"),
            json!({"name": "Shoe size", "key": "shoe", "members_edit": false})
        );
        told(data, "field add --account example Team");
        assert!(told(data, "field list --account example").contains("Shoe size  shoe"));
        refused(data, "field add --account example team", (1, "there is a field team already"));
        refused(
            data,
            "field set --account example Team --rename Emails",
            (1, "a field that every contact has"),
        );
        refused(data, "field show --account example hat", (1, "there is shoe, Team"));
        let set = shown(data, "field set --account example shoe --id '' --rename 'Size of shoe'");
        assert_eq!(set, json!({"name": "Size of shoe", "key": "Size of shoe", "members_edit": false}));
        assert_eq!(shown(data, "field show --account example 'Size of shoe'")["contacts"], 0);
        refused(data, "field delete --account example Team", (2, "the value that 0 contacts have"));
        told(data, "field delete --account example Team --yes");
        assert_eq!(shown(data, "field list --account example")["count"], 1);
    });
}

#[test]
fn the_values_of_a_deleted_field_are_not_found_again() {
    let (_folder, data) = folder();
    let key = set_up(&data)["api_key"].as_str().unwrap().to_owned();
    told(&data, "field add --account example Team");
    told(&data, "field add --account example Colour");
    let server = Server::start(&data);
    for number in 0..3 {
        let fields = format!("emails=m{number}%40example.org&Team=blue{number}&Colour=green");
        server.post("/api/2/contacts/", &key, &fields);
    }
    assert_eq!(shown(&data, "field show --account example Team")["contacts"], 3);
    assert!(
        told(&data, "field delete --account example Team --yes").contains("the value that 3 contacts had")
    );
    let count = |query: &str| {
        let answer = server.get(&format!("/api/2/contacts/?{query}"), Some(&key));
        super::json(answer.split("\r\n\r\n").nth(1).unwrap())["count"].clone()
    };
    assert_eq!((count("search=blue"), count("search=green")), (json!(0), json!(3)));
    // A later field is another one, whatever it is called.
    told(&data, "field add --account example Team");
    assert_eq!(shown(&data, "field show --account example Team")["contacts"], 0);
    assert_eq!(server.stop().code(), Some(0));
    assert!(good(&["verify", "--data", &data]).starts_with("All is well"));
}

#[test]
fn an_administrator_is_unlocked_by_address_or_number() {
    on_both(|data| {
        let unlocked = told(data, "admin unlock you@example.org");
        assert_eq!(
            unlocked.trim(),
            "you@example.org is not locked any more, and no wrong passwords are counted"
        );
        assert_eq!(shown(data, "admin unlock YOU@example.org")["username"], "you@example.org");
        refused(
            data,
            "admin unlock nobody@example.org",
            (1, "there is no administrator \"nobody@example.org\""),
        );
        refused(data, "admin unlock 2", (1, "is the holder of a key"));
    });
}

#[test]
fn an_error_names_what_was_typed() {
    on_both(|data| {
        told(data, "list create news");
        for (line, expected) in [
            ("list create 'my list'", "error: NAME may have"),
            ("list create news", "error: NAME: news is taken"),
            ("list create postmaster", "error: NAME is reserved"),
            ("list set news --rename 'my list'", "error: --rename may have"),
            ("alias create 'my alias' --destination ada@example.org", "error: ALIAS "),
            ("alias create news --destination ada@example.org", "error: ALIAS: "),
            ("admin create nobody", "error: EMAIL must be"),
            ("admin create you@example.org", "error: EMAIL: "),
            ("field show nope", "error: FIELD names no field"),
            ("field add ''", "error: FIELD NAME"),
            (
                "admin link nobody@example.org",
                "there is no administrator \"nobody@example.org\"; there is you@example.org",
            ),
            ("oauth-client create --name '' --redirect-uri https://x.example/", "error: --name is needed"),
            ("contact create nobody", "error: EMAIL \"nobody\" must be"),
        ] {
            refused(data, line, (1, expected));
        }
    });
}

#[test]
fn texts_may_begin_with_hyphens() {
    let (_folder, data) = folder();
    set_up(&data);
    let data = data.as_str();
    told(data, "list create news");
    told(data, "list set news --message-footer '-- \nYour club' --subject-prefix '-n-' --description '--'");
    let list = shown(data, "list show news");
    assert_eq!(list["message_footer"], "-- \nYour club");
    assert_eq!((&list["subject_prefix"], &list["description"]), (&json!("-n-"), &json!("--")));
    refused(data, "list set news --description --json", (2, "--description needs a value"));
    refused(data, "list set news --maxlength -5", (2, "--maxlength"));
    told(data, "account set --welcome-message '- one\n- two'");
    assert_eq!(shown(data, "account show")["welcome_message"], "- one\n- two");
    told(data, "field add Voice");
    told(data, "field set Voice --rename '- voice'");
}
