use super::*;
use proptest::prelude::*;

fn text(body: &str) -> String {
    let Described { error_type, message, of_the_service } = describe(body.as_bytes());
    format!("{}|{message}|{of_the_service}", error_type.unwrap_or_default())
}

#[test]
fn bodies_of_real_servers() {
    for (body, expected) in [
        // Neutron
        (
            r#"{"NeutronError": {"type": "FlavorInUse", "message": "Flavor f1 is used by some service instance.", "detail": ""}}"#,
            "FlavorInUse|Flavor f1 is used by some service instance.|true",
        ),
        (
            r#"{"NeutronError": {"type": "HTTPNotFound", "message": "The resource could not be found.", "detail": ""}}"#,
            "HTTPNotFound|The resource could not be found.|true",
        ),
        (r#"{"NeutronError": {"type": "X", "message": "one\ntwo", "detail": ""}}"#, "X|one two|true"),
        (r#"{"NeutronError": "only a text"}"#, "|only a text|true"),
        // Keystone, also as Neutron's middleware answers
        (
            r#"{"error":{"code":401,"message":"The request you have made requires authentication.","title":"Unauthorized"}}"#,
            "Unauthorized|The request you have made requires authentication.|true",
        ),
        (
            r#"{"error":{"code":401,"identity":{},"message":"Error authenticating.","title":"Unauthorized"}}"#,
            "Unauthorized|Error authenticating.|true",
        ),
        // Ironic: a document in a text, as a document, and as plain text
        (
            r#"{"error_message": "{\"faultcode\": \"Client\", \"faultstring\": \"Node n1 is locked.\", \"debuginfo\": null}"}"#,
            "|Node n1 is locked.|true",
        ),
        (
            r#"{"error_message": {"faultcode": "Client", "faultstring": "Node n1 is locked."}}"#,
            "|Node n1 is locked.|true",
        ),
        (r#"{"error_message": "just words"}"#, "|just words|true"),
        (r#"{"faultcode": "Server", "faultstring": "Oops", "debuginfo": null}"#, "|Oops|true"),
        // API working group
        (
            r#"{"errors": [{"status": 406, "title": "Not Acceptable", "detail": "Version 9.9 is not supported"}]}"#,
            "Not Acceptable|Version 9.9 is not supported|true",
        ),
        (r#"{"message": "at the root", "code": 500}"#, "|at the root|true"),
        // Things in between
        ("OK", "|OK|false"),
        ("", "||false"),
        ("[1, 2]", "|[1, 2]|false"),
        (r#"{"flavors": []}"#, r#"|{"flavors": []}|false"#),
    ] {
        assert_eq!(text(body), expected, "{body}");
    }
    let page = "<html><head><title>502 Bad Gateway</title></head>\n<body><center><h1>502 Bad Gateway</h1></center><hr>nginx</body></html>";
    let described = describe(page.as_bytes());
    assert!(
        described.message.contains("502 Bad Gateway") && !described.message.contains('<'),
        "{described:?}"
    );
    assert!(!described.of_the_service);
}

#[test]
fn long_messages_are_cut() {
    let body = format!(
        r#"{{"NeutronError": {{"type": "HTTPBadRequest", "message": "Invalid input for name. Reason: '{}' exceeds"}}}}"#,
        "n".repeat(256)
    );
    let message = describe(body.as_bytes()).message;
    assert_eq!(message.chars().count(), LIMIT);
    assert!(
        message.starts_with("Invalid input for name. Reason: 'nnn") && message.ends_with("n…"),
        "{message}"
    );
}

#[test]
fn ids_of_requests_are_taken_out() {
    let body = r#"{"error": {"message": "failed (req-1b4a0d7c-0d52-4a5e-8a1c-3f5f7a6f6a10), sorry about req-uest"}}"#;
    assert_eq!(describe(body.as_bytes()).message, "failed (req-…), sorry about req-uest");
}

proptest! {
    #[test]
    fn any_bytes_give_one_bounded_line(body in proptest::collection::vec(any::<u8>(), 0..600)) {
        bounded(&body)?;
    }

    #[test]
    fn any_json_gives_one_bounded_line(text in any::<String>(), more in "[\\PC\\s]{0,400}", times in 0_usize..8) {
        let mut inner = serde_json::json!({"type": text, "message": more, "req-": format!("req-{more}")});
        for _ in 0..times {
            inner = serde_json::json!({"error_message": inner.to_string().chars().take(5000).collect::<String>()});
        }
        bounded(inner.to_string().as_bytes())?;
    }

    #[test]
    fn any_word_around_a_request_id(word in "[\\PC]{0,5}req-[0-9a-f-]{30,40}[\\PC]{0,5}") {
        bounded(format!(r#"{{"error": {{"message": {}}}}}"#, serde_json::json!(word)).as_bytes())?;
    }
}

fn bounded(body: &[u8]) -> Result<(), TestCaseError> {
    let Described { error_type, message, .. } = describe(body);
    for text in [error_type.unwrap_or_default(), message] {
        prop_assert!(text.chars().count() <= LIMIT, "{} characters", text.chars().count());
        prop_assert!(!text.contains(['\n', '\r', '\t', '\0']), "{text:?}");
    }
    Ok(())
}
