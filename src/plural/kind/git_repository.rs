use super::{Attributes, Managed, Mutation, Wanted};
use crate::plural::console::{MASK, Of, Output, Query};
use crate::plural::shape::{OBJECT_REFERENCE, RECONCILIATION, SECRET_REFERENCE, Shape, may, must};

/// pluralsh/console, gitrepository_controller.go (9d77951c, 012fc227) and gitrepository_types.go (02fdfd37).
pub(super) static GIT_REPOSITORY: Managed = Managed {
    kind: "GitRepository",
    called: "repository",
    query: &QUERY,
    spec: &[
        must("url", Shape::Text),
        may("connectionRef", OBJECT_REFERENCE),
        may("credentialsRef", SECRET_REFERENCE),
        RECONCILIATION,
    ],
    attributes,
    // Neither the credentials nor the connection come back.
    compared: &[],
    create: Mutation { field: "createGitRepository", arguments: &[("attributes", "GitAttributes!")] },
    update: Mutation { field: "updateGitRepository", arguments: &[("id", "ID!"), ("attributes", "GitAttributes!")] },
    delete: Mutation { field: "deleteGitRepository", arguments: &[("id", "ID!")] },
};

/// The values of a repository's health.
const HEALTH: &[&str] = &["PULLABLE", "FAILED"];

static QUERY: Query = Query {
    field: "gitRepository",
    argument: "url",
    argument_type: "String",
    returned: &[
        Output::must("id"),
        Output::must("url"),
        // Decides whether the object becomes ready.
        Output::may("health").of(Of::Enum(HEALTH)),
        Output::may("authMethod"),
        Output::may("error").of(Of::Message),
    ],
};

/// The keys of the Secret, in the order in which they are hashed; the missing and the empty ones are left out.
const CREDENTIALS: [&str; 4] = ["privateKey", "passphrase", "username", "password"];

fn attributes(wanted: &Wanted<'_>) -> Result<Attributes, String> {
    let mut attributes = Attributes::default();
    attributes.copy(wanted.spec, &["url"]);
    if let Some(secret) = wanted.found.data.get(&("spec.credentialsRef", None)) {
        for key in CREDENTIALS {
            if let Some(value) = secret.0.get(key).filter(|value| !value.is_empty()) {
                attributes.put_masked(key, value.as_str().into(), MASK.into());
            }
        }
    }
    attributes.id("connectionId", wanted, "spec.connectionRef");
    Ok(attributes)
}
