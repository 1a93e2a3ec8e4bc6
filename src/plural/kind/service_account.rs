use serde_json::{Map, Value};

use super::{Attributes, Managed, Mutation, Wanted};
use crate::plural::compare::Compared;
use crate::plural::console::{Output, Query, bindings};
use crate::plural::shape::{BINDINGS, RECONCILIATION, SECRET_REFERENCE, Shape, TEXTS, may, must};
use crate::plural::{Facts, LAST_SCOPE_HASH, hash};

/// pluralsh/console, service_account_controller.go and serviceaccount_types.go (02fdfd37).
pub(super) static SERVICE_ACCOUNT: Managed = Managed {
    kind: "ServiceAccount",
    called: "user",
    query: &QUERY,
    spec: &[
        must("email", Shape::Text),
        may("scopes", Shape::List(&SCOPE)),
        may("tokenExpiry", Shape::Text),
        may("tokenSecretRef", SECRET_REFERENCE),
        may("assumeBindings", BINDINGS),
        RECONCILIATION,
    ],
    attributes,
    compared: &[("assumeBindings", Compared::Bindings)],
    create: Mutation { field: "createServiceAccount", arguments: &[("attributes", "ServiceAccountAttributes!")] },
    update: Mutation {
        field: "updateServiceAccount",
        arguments: &[("id", "ID!"), ("attributes", "ServiceAccountAttributes!")],
    },
    delete: Mutation { field: "deleteUser", arguments: &[("id", "ID!")] },
};

const SCOPE: Shape =
    Shape::Object(&[may("api", Shape::Text), may("apis", TEXTS), may("identifier", Shape::Text), may("ids", TEXTS)]);

static QUERY: Query = Query {
    field: "user",
    argument: "email",
    argument_type: "String!",
    returned: &[Output::must("id"), Output::must("name"), Output::must("email"), bindings("assumeBindings")],
};

fn attributes(wanted: &Wanted<'_>) -> Result<Attributes, String> {
    let mut attributes = Attributes::default();
    // The name is the object's own.
    let name = wanted.facts.reference.name.as_deref();
    attributes.put("name", name.ok_or("metadata.name is not set, and it is the name that is sent")?.into());
    attributes.copy(wanted.spec, &["email"]);
    attributes.bindings("assumeBindings", wanted.spec.get("assumeBindings"), wanted);
    Ok(attributes)
}

/// What becomes of a service account's token after the user is in sync (pluralsh/console, service_account_controller.go,
/// the copy with token expiry).
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// None is made.
    Unchanged(&'static str),
    /// One is made of these scopes, for this long.
    Made {
        /// The list of scopes, empty if there are none any more.
        scopes: Value,
        /// How long it is valid, if the spec says so.
        expiry: Option<Value>,
        /// The hash that goes into the annotation.
        hash: String,
    },
}

/// Whether a token is made: when the hash of the scopes is another than the annotation's. Without scopes it is the empty
/// text, which is also what a missing annotation counts as.
pub fn token(facts: &Facts, spec: &Map<String, Value>) -> Token {
    if !spec.contains_key("tokenSecretRef") {
        return Token::Unchanged("spec.tokenSecretRef is not set");
    }
    let scopes = spec.get("scopes").cloned();
    let hash = scopes.as_ref().map(hash::hash).unwrap_or_default();
    let last = facts.metadata.annotation(LAST_SCOPE_HASH).and_then(|hash| hash.stored()).unwrap_or_default();
    match hash == last {
        true if hash.is_empty() => Token::Unchanged("spec.scopes is empty, and without scopes no token is made"),
        true => Token::Unchanged("the scopes are those of the last token"),
        false => Token::Made {
            scopes: scopes.unwrap_or_else(|| Vec::<Value>::new().into()),
            expiry: spec.get("tokenExpiry").cloned(),
            hash,
        },
    }
}
