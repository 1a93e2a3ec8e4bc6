use super::*;

const HELM: &str = "apiVersion: v1\nkind: Thing\nmetadata:\n  name: {{ .Values.name }}\n";

#[test]
fn documents_that_are_templates_are_told_once_per_file_and_hide_no_other() {
    let liquid = "{% if x %}\na: 1\n{% endif %}\n";
    let loaded = stdin(format!("{}---\n{HELM}---\n{liquid}---\n{}", object("a"), object("b")));
    assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a", "<stdin>:15:1 Thing/b"]);
    assert_eq!(codes(&loaded), [(ERROR, Code::Template)]);
    let message = "2 of 4 documents are templates that must be rendered first; here is the first";
    assert_eq!(told(&loaded.problems[0]), format!("9:9 template: {message}"));
    assert!(loaded.problems[0].fix.as_deref().is_some_and(|fix| fix.contains("helm template")));
    assert_eq!(loaded.counts, Counts { files: 1, documents: 4, skipped: 2, broken: 0 });
    assert!(loaded.failed());
}

#[test]
fn templates_in_a_folder_are_worth_a_note_and_no_error() {
    let root = folder(&[("t.yaml", HELM.to_owned()), ("a.yaml", object("a"))]);
    let loaded = load_in(root.path(), &["."], false);
    assert_eq!(loaded.objects.len(), 1);
    assert_eq!(codes(&loaded), [(Severity::Info, Code::Template)]);
    assert!(!loaded.failed());
}

#[test]
fn every_usual_shape_of_template_is_known_for_one() {
    for text in [
        "{{- if .Values.x }}\na: 1\n{{- end }}\n",
        "a:\n  {{- toYaml .x | nindent 2 }}\n",
        "{{ .key }}: 1\n",
        "a: {{ .x }}-{{ .y }}\n",
        "a: \"{{ .x | default \"y\" }}\"\n",
        "a: [{{ .x }}, 1]\n",
        "{% for x in y %}\n- {{ x }}\n{% endfor %}\n",
        "a:\n\t{{ .x }}\n",
    ] {
        let loaded = stdin(text);
        assert_eq!(codes(&loaded), [(ERROR, Code::Template)], "{text:?}");
    }
}

#[test]
fn braces_in_texts_are_no_template() {
    let text = format!("{}a: \"{{{{ .x }}}}\"\nb: x-{{{{ .y }}}}\nc: ${{uniqueId}}\nd: |\n  {{% x %}}\n", object("a"));
    assert_eq!(objects(&text), ["1:1 Thing/a"]);
    // An error that has nothing to do with them is an error.
    let loaded = stdin("a: \"{{ .x }}\" # {{ y }}\nb: [\n");
    assert_eq!(codes(&loaded), [(ERROR, Code::Syntax)]);
    assert_eq!(codes(&stdin("a: 1\na: 2\n# {{ x }}\n")), [(ERROR, Code::DuplicateKey)]);
}
