//! A server's answer, short enough for an error text.

/// No more than this of an answer is looked at, in bytes: what matters stands at the beginning.
const LOOKED_AT: usize = 16 << 10;

/// What an error text can carry of `text`: HTML without its tags, white space folded, a line that repeats an
/// earlier one left out (error pages say title and heading twice), cut to `limit` characters with `…`.
pub fn summary(text: &str, limit: usize) -> String {
    let text = &text[..text.floor_char_boundary(LOOKED_AT)];
    let plain = if looks_like_html(text) { decode_entities(&strip_tags(text)) } else { text.to_owned() };
    let mut lines: Vec<String> = Vec::new();
    for line in plain.lines() {
        let folded = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if !folded.is_empty() && !lines.contains(&folded) {
            lines.push(folded);
        }
    }
    cut(&lines.join(" "), limit)
}

fn looks_like_html(text: &str) -> bool {
    let start = text.trim_start().get(..14).unwrap_or(text.trim_start()).to_ascii_lowercase();
    ["<!doctype", "<html", "<head", "<body", "<h1", "<?xml"].iter().any(|tag| start.starts_with(tag))
}

/// Tags become line ends; the content of script, style and comments goes.
fn strip_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = &rest[at..];
        let end = if rest.starts_with("<!--") {
            end_of(rest, "-->")
        } else if starts_with_tag(rest, "script") {
            end_of(rest, "</script>")
        } else if starts_with_tag(rest, "style") {
            end_of(rest, "</style>")
        } else {
            end_of(rest, ">")
        };
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn starts_with_tag(html: &str, name: &str) -> bool {
    html.get(1..=name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Just behind the first `mark`, in any case, or the end of the text.
fn end_of(text: &str, mark: &str) -> usize {
    text.to_ascii_lowercase().find(mark).map_or(text.len(), |at| at + mark.len())
}

fn decode_entities(text: &str) -> String {
    // &amp; last, so that "&amp;lt;" becomes "&lt;".
    [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain))
}

fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_folded() {
        assert_eq!(summary("404 page not found\n", 100), "404 page not found");
        assert_eq!(summary("  a \t b\r\n\r\nc\na b\n", 100), "a b c");
        assert_eq!(summary("1 < 2 and 3 > 2", 100), "1 < 2 and 3 > 2");
        assert_eq!(summary("", 100), "");
    }

    #[test]
    fn html_loses_tags_scripts_and_repetitions() {
        let page = "<!DOCTYPE html>\n<html><head><title>503 Service Unavailable</title>\
            <style>body { color: red }</style><SCRIPT>alert(1)</SCRIPT></head><body><!-- hidden > -->\
            <h1>503 Service Unavailable</h1>No server is available &amp; &lt;ready&gt;.</body></html>";
        assert_eq!(summary(page, 200), "503 Service Unavailable No server is available & <ready>.");
    }

    #[test]
    fn broken_html_does_no_harm() {
        assert_eq!(summary("<html><body>Bad gateway<", 100), "Bad gateway");
        assert_eq!(summary("<html><script>never ends", 100), "");
        assert_eq!(summary("<h1>ä<é</h1>", 100), "ä");
    }

    #[test]
    fn a_huge_answer_costs_little() {
        let page = format!("<html><p>Bad gateway</p>{}", "<p>ä</p>".repeat(1 << 20));
        assert_eq!(summary(&page, 100), "Bad gateway ä");
    }

    #[test]
    fn the_limit_counts_characters() {
        assert_eq!(summary("äöüß", 4), "äöüß");
        assert_eq!(summary("äöüßa", 4), "äöü…");
        assert_eq!(summary("one two three", 5), "one…");
        assert_eq!(summary("abc", 1), "…");
    }
}
