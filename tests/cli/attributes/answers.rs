//! Whether an answer of the Console has the form that was asked for (console.md section 1).

use kcc_backoff::plural::console::{CLUSTER, GROUP, Of, Output, Query, SCM_CONNECTION, USER, check};
use kcc_backoff::plural::kind::MANAGED;
use serde_json::{Map, Value, json};

use super::of;

fn queries() -> impl Iterator<Item = &'static Query> {
    MANAGED.into_iter().map(|managed| managed.query).chain([&USER, &GROUP, &SCM_CONNECTION, &CLUSTER])
}

/// An answer that has everything, each list with one item.
fn full(fields: &[Output]) -> Value {
    let one = |field: &Output| {
        let one = match field.of {
            Of::Scalar | Of::Message | Of::Secret => json!("x"),
            Of::Enum(words) => json!(words[0]),
            Of::Map | Of::SecretMap => json!({}),
            Of::Object(fields) => full(fields),
        };
        (field.name.to_owned(), if field.list { json!([one]) } else { one })
    };
    fields.iter().map(one).collect::<Map<_, _>>().into()
}

/// JSON pointers of all fields with their paths in messages and whether they may be null.
fn walk(fields: &'static [Output], pointer: &str, path: &str, visit: &mut dyn FnMut(&str, &str, &Output)) {
    for field in fields {
        let (mut pointer, mut path) = (format!("{pointer}/{}", field.name), format!("{path}.{}", field.name));
        visit(&pointer, &path, field);
        if let Of::Object(fields) = field.of {
            if field.list {
                pointer.push_str("/0");
                path.push_str("[0]");
            }
            walk(fields, &pointer, &path, visit);
        }
    }
}

fn with(fields: &[Output], pointer: &str, value: Option<Value>) -> Value {
    let mut answer = full(fields);
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = answer.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => _ = parent.insert(key.to_owned(), value),
        None => _ = parent.remove(key),
    }
    answer
}

#[test]
fn a_full_answer_has_the_form_that_was_asked_for() {
    for query in queries() {
        assert_eq!(check(&full(query.returned), query.returned, query.field), Ok(()), "{}", query.field);
    }
}

#[test]
fn null_and_nothing_are_accepted_of_each_field_that_the_schema_lets_be_null_and_of_no_other() {
    let mut seen = 0;
    for query in queries() {
        walk(query.returned, "", query.field, &mut |pointer, path, field| {
            seen += 1;
            for value in [Some(Value::Null), None] {
                let checked = check(&with(query.returned, pointer, value), query.returned, query.field);
                let expected = match field.required {
                    true => Err(format!("{path} is missing, which the schema does not allow")),
                    false => Ok(()),
                };
                assert_eq!(checked, expected, "{path}");
            }
        });
    }
    assert!(seen > 100, "only {seen} fields");
}

#[test]
fn a_field_of_another_form_is_refused_with_its_path() {
    for query in queries() {
        walk(query.returned, "", query.field, &mut |pointer, path, field| {
            let (odd, wanted) = match (field.list, field.of) {
                (true, _) => (json!("x"), "a text, not a list"),
                (false, Of::Object(_) | Of::Map | Of::SecretMap) => (json!([1]), "a list, not an object"),
                (false, _) => (json!({"a": 1}), "an object, not a single value"),
            };
            let checked = check(&with(query.returned, pointer, Some(odd)), query.returned, query.field);
            assert_eq!(checked, Err(format!("{path} is {wanted}")));
        });
    }
}

#[test]
fn null_within_a_list_is_accepted() {
    let project = json!({"id": "7", "name": "it", "readBindings": [null]});
    assert_eq!(check(&project, of("Project").query.returned, "project"), Ok(()));
}

#[test]
fn a_word_that_is_not_known_matters_only_where_something_is_decided_by_it() {
    let mut refused = Vec::new();
    for query in queries() {
        walk(query.returned, "", query.field, &mut |pointer, path, field| {
            if matches!(field.of, Of::Scalar | Of::Message | Of::Enum(_)) && !field.list {
                let odd = with(query.returned, pointer, Some(json!("NEW_WORD")));
                refused.extend(check(&odd, query.returned, query.field).err().map(|error| (path.to_owned(), error)));
            }
        });
    }
    let error = "gitRepository.health is \"NEW_WORD\", which this version does not know: it knows PULLABLE, FAILED";
    assert_eq!(refused, [("gitRepository.health".to_owned(), error.to_owned())]);
}

#[test]
fn an_answer_that_is_no_object_is_refused() {
    for (odd, what) in [(json!(null), "null"), (json!([]), "a list"), (json!("x"), "a text"), (json!(1), "a number")] {
        assert_eq!(
            check(&odd, of("Project").query.returned, "project"),
            Err(format!("project is {what}, not an object"))
        );
    }
}

#[test]
fn fields_that_were_not_asked_for_do_no_harm() {
    let project = json!({"id": "7", "name": "it", "newer": {"a": [1]}});
    assert_eq!(check(&project, of("Project").query.returned, "project"), Ok(()));
}
