use super::Text;
use super::subject::Subject;
use super::world::{Reading, Source};
use crate::kcc::{self, Controller, Row};
use crate::object::{Code, Diagnostic, Place, Severity};

/// Which step of the decision chose the controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// The annotation `alpha.cnrm.cloud.google.com/reconciler`.
    Annotation,
    /// A rule about the object's spec.
    Spec,
    /// A ConfigConnectorContext or ConfigConnector among the inputs.
    Context,
    /// The table's default.
    Table,
    /// The table's default, because the choice is not supported for the kind.
    Fallback,
    /// Nothing: there is no controller, or it cannot be told.
    None,
}

impl DecidedBy {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            DecidedBy::Annotation => "annotation",
            DecidedBy::Spec => "spec",
            DecidedBy::Context => "context",
            DecidedBy::Table => "table",
            DecidedBy::Fallback => "fallback",
            DecidedBy::None => "none",
        }
    }
}

/// Who handles the object, and who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControllerAnswer<'a> {
    /// The controller.
    pub controller: Controller,
    /// The step that chose it.
    pub decided_by: DecidedBy,
    /// The controllers that can be chosen for the kind in this release.
    pub supported: &'static [Controller],
    /// Why, in a sentence without a full stop.
    pub reason: Text<'a>,
    /// Where what decided stands, if it stands in the inputs.
    pub place: Option<Place>,
}

/// What one step of the decision asks for.
struct Wish<'a> {
    controller: Option<Controller>,
    name: Text<'a>,
    by: DecidedBy,
    reason: Text<'a>,
    place: Option<Place>,
}

/// Chooses the controller in the order of Config Connector's parent controller (pkg/controller/parent): annotation,
/// spec, context, table; falls back to the table's default when the choice is not supported.
pub(super) fn choose<'a>(subject: Subject<'a>, problems: &mut Vec<Diagnostic>) -> ControllerAnswer<'a> {
    let (group, kind, release) = (subject.group(), subject.kind(), subject.world.release);
    if kcc::is_configuration_group(group) {
        return nobody(Controller::None, "configures KCC; not reconciled by these controllers");
    }
    if !release.has_table() {
        return nobody(
            Controller::Unknown,
            format!("{release} has no table of controllers (the first is in 1.135.0): not known"),
        );
    }
    let Some(row) = kcc::row(group, kind, release) else {
        let reason = without_row(subject);
        let place = subject.facts.place.clone();
        problems.push(Diagnostic::new(Code::NoController, Severity::Warning, place, format!("{kind}: {reason}")));
        return nobody(Controller::None, reason);
    };
    if let Some(excluded) = excluded(subject) {
        return ControllerAnswer { supported: &row.supported, ..excluded };
    }
    if !goes_through_choice(row, subject) {
        if let Some(given) = subject.annotation(kcc::RECONCILER).filter(|given| given.stored() == Some("direct")) {
            let place = given.place.unwrap_or_else(|| subject.facts.place.clone());
            let message = format!("{} has no effect on {kind}: it has one fixed controller", kcc::RECONCILER);
            problems.push(Diagnostic::new(Code::IneffectiveOverride, Severity::Warning, place, message));
        }
        return from_table(row, subject, "this kind has one fixed controller");
    }
    let Some(wish) = wish(subject, problems) else { return from_table(row, subject, "") };
    if let Some(controller) = wish.controller.filter(|controller| row.supported.contains(controller)) {
        return ControllerAnswer {
            controller,
            decided_by: wish.by,
            supported: &row.supported,
            reason: wish.reason,
            place: wish.place,
        };
    }
    let reason = format!(
        "{}, but {} is not supported for {kind} in {release} (supported: {}), so it silently falls back to the table's default",
        wish.reason,
        wish.name,
        join(&row.supported),
    );
    let place = wish.place.clone().unwrap_or_else(|| subject.facts.place.clone());
    problems.push(Diagnostic::new(Code::IneffectiveOverride, Severity::Warning, place, reason.clone()));
    ControllerAnswer {
        controller: row.default,
        decided_by: DecidedBy::Fallback,
        supported: &row.supported,
        reason: reason.into(),
        place: wish.place,
    }
}

fn wish<'a>(subject: Subject<'a>, problems: &mut Vec<Diagnostic>) -> Option<Wish<'a>> {
    by_annotation(subject, problems).or_else(|| by_spec(subject)).or_else(|| by_context(subject))
}

fn by_annotation<'a>(subject: Subject<'a>, problems: &mut Vec<Diagnostic>) -> Option<Wish<'a>> {
    let given = subject.annotation(kcc::RECONCILER)?;
    let stored = given.stored()?;
    if stored == "direct" {
        return Some(Wish {
            controller: Some(Controller::Direct),
            name: "direct".into(),
            by: DecidedBy::Annotation,
            reason: match given.place {
                Some(_) => "asked for by the annotation alpha.cnrm.cloud.google.com/reconciler",
                None => "asked for by --set alpha.cnrm.cloud.google.com/reconciler",
            }
            .into(),
            place: given.place,
        });
    }
    if !stored.is_empty() {
        let place = given.place.unwrap_or_else(|| subject.facts.place.clone());
        let message =
            format!("{} has an effect only with the exact value direct, not with {stored:?}", kcc::RECONCILER);
        let fix = format!("write {}: direct, or remove the annotation", kcc::RECONCILER);
        problems.push(Diagnostic::new(Code::IneffectiveOverride, Severity::Warning, place, message).with_fix(fix));
    }
    None
}

fn by_spec(subject: Subject<'_>) -> Option<Wish<'_>> {
    let (what, place) = match subject.annotation(kcc::UNMANAGED) {
        Some(given) if subject.kind() == "BigQueryTable" => (kcc::UNMANAGED, given.place),
        _ => {
            let (field, place) = subject.facts.spec_rule.as_ref()?;
            (*field, Some(place.clone()))
        }
    };
    Some(Wish {
        controller: Some(Controller::Direct),
        name: "direct".into(),
        by: DecidedBy::Spec,
        reason: format!("{} with {what} goes to the direct controller", subject.kind()).into(),
        place,
    })
}

fn by_context(subject: Subject<'_>) -> Option<Wish<'_>> {
    let (context, reading) = subject.world.contexts.context(subject.namespace())?;
    if reading == Reading::NotRead {
        return None;
    }
    let key = format!("{}.{}", subject.kind(), subject.group());
    let (_, name, pos) = context.settings.overrides.iter().rev().find(|(entry, _, _)| *entry == key)?;
    let assumed = reading.remark();
    Some(Wish {
        controller: match name.as_str() {
            "direct" => Some(Controller::Direct),
            "tf" => Some(Controller::Tf),
            "dcl" => Some(Controller::Dcl),
            _ => None,
        },
        name: format!("{name:?}").into(),
        by: DecidedBy::Context,
        reason: format!("controllerOverrides of the namespace's ConfigConnectorContext say {name}{assumed}").into(),
        place: Some(context.at(*pos)),
    })
}

/// IAMPolicy, IAMPolicyMember and IAMAuditConfig never go through the choice; IAMPartialPolicy from 1.137.0 on.
fn goes_through_choice(row: &Row, subject: Subject<'_>) -> bool {
    match row.default {
        Controller::IamPolicy | Controller::IamPolicyMember | Controller::IamAuditConfig => false,
        Controller::IamPartialPolicy => subject.world.release.partial_policy_chooses(),
        _ => true,
    }
}

fn from_table<'a>(row: &'static Row, subject: Subject<'a>, remark: &str) -> ControllerAnswer<'a> {
    let table = &subject.world.table;
    let reason = match (remark, row.supported.len()) {
        ("", 1) => format!("its only controller ({table})"),
        ("", _) => format!("the default; supported: {} ({table})", join(&row.supported)),
        (remark, _) => format!("{remark} ({table})"),
    };
    ControllerAnswer {
        controller: row.default,
        decided_by: DecidedBy::Table,
        supported: &row.supported,
        reason: reason.into(),
        place: None,
    }
}

/// Kinds that `resourceSettings` of ConfigConnector or of the namespace's context leave without a controller: those
/// that either excludes, and, where one includes, those that none includes.
fn excluded(subject: Subject<'_>) -> Option<ControllerAnswer<'_>> {
    let contexts = &subject.world.contexts;
    if contexts.is_empty() {
        return None;
    }
    let context = contexts
        .context(subject.namespace())
        .filter(|(_, reading)| *reading != Reading::NotRead)
        .map(|(context, reading)| (context, "the namespace's ConfigConnectorContext", reading.remark()));
    let connector = contexts.connector().map(|connector| (connector, "the ConfigConnector", ""));
    let sources: Vec<_> = connector.into_iter().chain(context).collect();
    let entry = |source: &Source| source.settings.resources.entry(subject.group(), subject.kind());
    let answer = |place, reason: String| ControllerAnswer {
        decided_by: DecidedBy::Context,
        place: Some(place),
        ..nobody(Controller::None, reason)
    };
    for (source, name, assumed) in &sources {
        if let (false, Some(pos)) = (source.settings.resources.include, entry(source)) {
            let reason = format!(
                "excluded by resourceSettings of {name}, read when the controllers start{assumed}: no controller reconciles it"
            );
            return Some(answer(source.at(pos), reason));
        }
    }
    let including: Vec<_> = sources.iter().filter(|(source, ..)| source.settings.resources.include).collect();
    if including.iter().any(|(source, ..)| entry(source).is_some()) {
        return None;
    }
    let (source, name, assumed) = including.first()?;
    let reason = format!(
        "not among the kinds that resourceSettings of {name} include, read when the controllers start{assumed}: no controller reconciles it"
    );
    Some(answer(source.place.clone(), reason))
}

fn without_row(subject: Subject<'_>) -> String {
    let release = subject.world.release;
    let nobody = format!("no controller reconciles it in {release}: it has no row in the {}", subject.world.table);
    let mut spans = kcc::rows_of(subject.group(), subject.kind()).map(|row| match row.until {
        Some(until) => format!("{} to {until}", row.since),
        None => format!("{} on", row.since),
    });
    match spans.next() {
        Some(span) => format!("{nobody}, only from {span}"),
        None => nobody,
    }
}

fn nobody<'a>(controller: Controller, reason: impl Into<Text<'a>>) -> ControllerAnswer<'a> {
    ControllerAnswer { controller, decided_by: DecidedBy::None, supported: &[], reason: reason.into(), place: None }
}

fn join(controllers: &[Controller]) -> String {
    controllers.iter().map(|controller| controller.as_str()).collect::<Vec<_>>().join(", ")
}
