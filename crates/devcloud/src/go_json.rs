//! JSON as Go writes it, where that differs from what `serde_json` writes: numbers that are floats.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// A value as compact JSON: `1.0` is `1`, and exponents begin at 1e21, with a sign.
pub(crate) fn text(value: &Value) -> String {
    let mut out = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut out, Numbers));
    debug_assert!(written.is_ok(), "writing to memory does not fail");
    String::from_utf8(out).unwrap_or_default()
}

struct Numbers;

impl Formatter for Numbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let size = value.abs();
        if size != 0.0 && !(1e-6..1e21).contains(&size) {
            let text = format!("{value:e}");
            let signed = if text.contains("e-") { text } else { text.replace('e', "e+") };
            return writer.write_all(signed.as_bytes());
        }
        write!(writer, "{value}")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn floats_are_written_as_go_does() {
        for (value, wanted) in [
            (json!(1.0), "1"),
            (json!(0.1), "0.1"),
            (json!(-0.0), "-0"),
            (json!(1e3), "1000"),
            (json!(9_007_199_254_740_992.0), "9007199254740992"),
            (json!(12_345_678_901_234_567_890.0), "12345678901234567000"),
            (json!(9_223_372_036_854_775_807.0), "9223372036854776000"),
            (json!(1e20), "100000000000000000000"),
            (json!(1e24), "1e+24"),
            (json!(1e-7), "1e-7"),
            (json!({"a": [1, 2.5, "x"]}), r#"{"a":[1,2.5,"x"]}"#),
        ] {
            assert_eq!(text(&value), wanted);
        }
    }
}
