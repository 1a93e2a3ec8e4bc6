use std::fmt::Write as _;

use serde_json::{Number, Value};

/// The compact JSON that Go's encoder writes of a value (encoding/json of Go 1.25, `Marshal`): `<`, `>`, `&`, U+2028 and
/// U+2029 escaped, keys in the order in which the value has them.
pub fn json(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, Numbers::AsTheyAre);
    text
}

/// The same of a value that Go has decoded into `any` before: keys sorted by their bytes, all numbers as 64-bit floats, so
/// that whole ones above 2^53 lose digits.
pub fn json_of_any(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, &sorted(value), Numbers::AsFloats);
    text
}

/// A value with the keys of all objects in it sorted by their bytes, as the API server stores what has no schema.
pub fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Object(object) => {
            let mut entries: Vec<(&String, &Value)> = object.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            entries
                .into_iter()
                .map(|(key, value)| (key.clone(), sorted(value)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        other => other.clone(),
    }
}

#[derive(Clone, Copy)]
enum Numbers {
    AsTheyAre,
    AsFloats,
}

fn write(text: &mut String, value: &Value, numbers: Numbers) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => number_in_go(text, number, numbers),
        Value::String(value) => string(text, value),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(text, item, numbers);
            }
            text.push(']');
        }
        Value::Object(object) => {
            text.push('{');
            for (index, (key, value)) in object.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                string(text, key);
                text.push(':');
                write(text, value, numbers);
            }
            text.push('}');
        }
    }
}

fn number_in_go(text: &mut String, number: &Number, numbers: Numbers) {
    match (number.as_i64(), number.as_u64(), numbers) {
        (Some(whole), _, Numbers::AsTheyAre) => {
            let _ = write!(text, "{whole}");
        }
        (_, Some(whole), Numbers::AsTheyAre) => {
            let _ = write!(text, "{whole}");
        }
        // Every number of JSON that is no whole one is a float here.
        _ => float(text, number.as_f64().unwrap_or_default()),
    }
}

/// The shortest digits that mean the same float; with an exponent below 1e-6 and from 1e21 on.
fn float(text: &mut String, value: f64) {
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let digits = format!("{value:e}");
        match digits.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => {
                let _ = write!(text, "{digits}e+{exponent:0>2}");
            }
            _ => text.push_str(&digits),
        }
    } else {
        let _ = write!(text, "{value}");
    }
}

fn string(text: &mut String, value: &str) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(text, "\\u{:04x}", character as u32);
            }
            other => text.push(other),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json as of;

    #[test]
    fn texts_are_escaped_as_for_html() {
        assert_eq!(
            json(&of!("a < b & c > d\u{2028}\u{1}\u{8}\u{7f}\"\\é")),
            "\"a \\u003c b \\u0026 c \\u003e d\\u2028\\u0001\\b\u{7f}\\\"\\\\é\""
        );
    }

    #[test]
    fn keys_stay_in_their_order_or_are_sorted() {
        let value = of!({"b": 1, "a": {"d": null, "c": [true, 1.5]}});
        assert_eq!(json(&value), r#"{"b":1,"a":{"d":null,"c":[true,1.5]}}"#);
        assert_eq!(json_of_any(&value), r#"{"a":{"c":[true,1.5],"d":null},"b":1}"#);
    }

    #[test]
    fn numbers_that_went_through_any_are_floats() {
        // 2^53 + 1 is the first whole number that a float cannot hold.
        assert_eq!(json(&of!(9_007_199_254_740_993_u64)), "9007199254740993");
        assert_eq!(json_of_any(&of!(9_007_199_254_740_993_u64)), "9007199254740992");
        assert_eq!(json_of_any(&of!(1e21)), "1e+21");
        assert_eq!(json_of_any(&of!(1e20)), "100000000000000000000");
        assert_eq!(json_of_any(&of!(0.000_000_1)), "1e-7");
        assert_eq!(json_of_any(&of!(0.000_001)), "0.000001");
        assert_eq!(json_of_any(&of!(3.0)), "3");
        assert_eq!(json_of_any(&of!(-2)), "-2");
    }
}
