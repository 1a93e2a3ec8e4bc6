use crate::assess::{Text, World};
use crate::object::{Place, masked_url};
use crate::plural::{Facts, IfMissing, Use};

/// Something that a pass needs before it sends anything, or that it looks for in the Console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait<'a> {
    /// The field that names it.
    pub field: Text<'a>,
    /// What it is: a kind, `user`, `group`, `cluster` or `repository`.
    pub target: &'static str,
    /// Its namespace, if the manifest names one or the object's own counts.
    pub namespace: Option<&'a str>,
    /// Its name, e-mail, handle or URL (credentials masked).
    pub name: Text<'a>,
    /// Where the reference stands.
    pub place: Place,
    /// Where it stands among the inputs, and whether it has an id there; `None` if it is not among them, or cannot be.
    pub found: Option<(Place, bool)>,
    /// Whether it could be among the inputs.
    pub could_be_found: bool,
    /// What happens while it is missing.
    pub missing: IfMissing,
    /// What happens while it has no id.
    pub without_id: IfMissing,
}

pub(super) fn waits<'a>(facts: &'a Facts, world: &'a World) -> Vec<Wait<'a>> {
    let place = |pos| Place::new(&facts.place.file, pos);
    // What is only written is not waited for.
    let references = facts.used_references().filter(|reference| reference.field.usage != Use::Written);
    let mut waits: Vec<Wait<'a>> = references
        .map(|reference| {
            let own = facts.reference.namespace.as_deref();
            let could_be_found = reference.field.usage == Use::Id;
            let target = if could_be_found { world.inputs.target(reference, own) } else { None };
            let in_namespace = matches!(reference.field.target, "Secret" | "ConfigMap");
            Wait {
                field: match reference.index {
                    Some(index) => format!("{}[{index}]", reference.field.path.trim_end_matches("[]")).into(),
                    None => reference.field.path.into(),
                },
                target: reference.field.target,
                namespace: reference.namespace.as_deref().or(own.filter(|_| in_namespace)),
                name: masked_url(&reference.name),
                place: place(reference.pos),
                found: target.map(|target| (target.place.clone(), target.has_id)),
                could_be_found,
                missing: reference.field.missing,
                without_id: reference.field.without_id,
            }
        })
        .collect();
    // Whom the bindings name is looked up where they are sent (pluralsh/console, notificationsink_controller.go, 02fdfd37).
    let unsent = facts.leaves_bindings_out();
    waits.extend(facts.identities.iter().filter(|_| !unsent).map(|identity| Wait {
        field: if identity.group { "groupName".into() } else { "userEmail".into() },
        target: if identity.group { "group" } else { "user" },
        namespace: None,
        name: identity.name.as_str().into(),
        place: place(identity.pos),
        found: None,
        could_be_found: false,
        missing: IfMissing::Wait,
        without_id: IfMissing::Nothing,
    }));
    waits
}
