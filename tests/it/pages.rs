//! Pages that lead somewhere, and are read on a telephone.

use crier::web::style_path;

use crate::harness::TestApp;

#[tokio::test]
async fn the_servers_first_page_says_what_it_is_and_leads_to_the_api() {
    let to_base =
        |config: &mut crier::config::Config| config.base_url = Some("https://crier.example.net".to_owned());
    let app = TestApp::builder().config(to_base).start().await;
    // The first page of an only account is its directory.
    app.other_account().await;
    let page = app.anon.at_host("crier.example.net").get("/").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.body.contains("Mailing lists live here"), "{}", page.body);
    for path in ["/api/2/docs/", "/api/2/openapi.json", style_path()] {
        assert!(page.body.contains(&format!("href=\"{path}\"")), "{path}");
        assert_eq!(app.anon.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn tables_of_the_docs_page_become_cards_where_it_is_narrow() {
    let app = TestApp::start().await;
    let page = app.anon.get("/api/2/docs/").await.body;
    let tables = page.matches("<table").count();
    assert!(20 < tables, "{tables}");
    assert_eq!(page.matches("<div class=\"fit\"><table class=\"cards\">").count(), tables);
    // Every cell behind the first of its row says what it is.
    for row in page.split("<tr><td").skip(1) {
        let row = row.split("</tr>").next().unwrap();
        for cell in row.split("<td").skip(1).filter(|_| !row.contains("account_admin</code>")) {
            let is_alone = row.matches("<td").count() == 1 && !row.contains("data-label");
            assert!(is_alone || cell.starts_with(" data-label=\""), "{row}");
        }
    }
    let style = app.anon.get(style_path()).await.body;
    assert!(style.contains("@container (max-width: 40rem)"), "{style}");
    // This makes columns as narrow as one letter, and words break in the middle.
    for rule in style.lines().filter(|line| line.starts_with("th") || line.starts_with("td")) {
        assert!(!rule.contains("anywhere"), "{rule}");
    }
}
