//! Which objects belong to the Plural Console.

/// The API group of the Plural Console's controllers (pluralsh/console, go/controller, v1alpha1).
pub const GROUP: &str = "deployments.plural.sh";

/// Whether `group` is reconciled against a Plural Console.
pub fn is_plural_group(group: &str) -> bool {
    group == GROUP
}
