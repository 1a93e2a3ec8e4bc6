//! The manifests of console.md section 14, and one of an automation with every field that there is.

pub const PROJECT_SMALL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: Project
metadata: {name: orchard}
spec: {name: orchard}
"#;

pub const PROJECT_FULL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: Project
metadata: {name: orchard-prod}
spec:
  name: orchard-prod
  description: production fleet
  bindings:
    read: [{groupName: auditors}]
    write: [{userEmail: robot@orchard.test}, {groupName: platform}]
  reconciliation: {driftDetection: false, interval: 10m}
"#;

pub const CATALOG_SMALL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: Catalog
metadata: {name: messaging}
spec: {author: Orchard}
"#;

pub const CATALOG_FULL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: Catalog
metadata: {name: messaging-v2}
spec:
  name: messaging
  author: Orchard
  category: data
  description: queues and brokers
  icon: https://img.orchard.test/q.png
  projectRef: {name: orchard-prod}
  tags: {tier: gold, team: core}
  bindings: {create: [{groupName: developers}], read: [], write: [{userEmail: a@orchard.test}]}
"#;

pub const REPOSITORY_SMALL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: GitRepository
metadata: {name: fleet, namespace: infra}
spec: {url: https://git.orchard.test/infra/fleet.git}
"#;

pub const REPOSITORY_FULL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: GitRepository
metadata: {name: private}
spec:
  url: ssh://git@git.orchard.test/infra/private.git
  connectionRef: {name: forge}
  credentialsRef: {name: forge-creds, namespace: infra}
  reconciliation: {interval: 5m30s}
"#;

pub const SINK_IN_APP: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: NotificationSink
metadata: {name: oncall, namespace: infra}
spec:
  type: PLURAL
  name: oncall
  configuration: {plural: {priority: HIGH, urgent: true}}
  bindings: [{groupName: sre}]
"#;

pub const SINK_CHAT: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: NotificationSink
metadata: {name: chat, namespace: infra}
spec: {type: SLACK, configuration: {slack: {url: https://hooks.orchard.test/T1/B1}}}
"#;

pub const SINK_LEGACY: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: NotificationSink
metadata: {name: legacy, namespace: infra}
spec: {type: TEAMS, name: legacy, reconciliation: {driftDetection: false}}
"#;

pub const ACCOUNT_SMALL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: ServiceAccount
metadata: {name: robot}
spec: {email: robot@orchard.test}
"#;

pub const ACCOUNT_FULL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: ServiceAccount
metadata: {name: deployer}
spec:
  email: deployer@orchard.test
  scopes: [{apis: [updateServiceDeployment], ids: ["*"]}, {api: createCluster}]
  tokenExpiry: 1w
  tokenSecretRef: {name: deployer-token, namespace: infra}
  assumeBindings: [{groupName: platform}]
"#;

pub const AUTOMATION_SMALL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: PrAutomation
metadata: {name: add-queue}
spec:
  scmConnectionRef: {name: forge}
  title: "add queue {{ context.name }}"
  message: "add queue {{ context.name }}"
  identifier: orchard/fleet
  configuration: [{name: name, type: STRING, documentation: queue name}]
"#;

pub const AUTOMATION_FULL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: PrAutomation
metadata: {name: bump-cluster}
spec:
  name: bump-cluster
  role: UPGRADE
  scmConnectionRef: {name: forge}
  repositoryRef: {name: fleet}
  catalogRef: {name: messaging}
  projectRef: {name: orchard-prod}
  title: bump
  message: bump
  identifier: orchard/fleet
  branch: trunk
  labels: [automated]
  creates:
    git: {ref: main, folder: templates/queue}
    templates:
    - {source: svc.yaml, destination: "apps/{{ context.name }}.yaml", external: true, context: {kind: queue}}
  updates:
    files: [clusters/main.tf]
    matchStrategy: ANY
    regexReplacements: [{regex: 'version = ".*"', file: clusters/main.tf, replacement: 'version = "{{ context.v }}"'}]
  deletes: {files: [old.yaml], folders: []}
  configuration:
  - {name: v, type: ENUM, values: ["1.31", "1.32"]}
  - {name: why, type: STRING, optional: true, condition: {field: v, operation: EQ, value: "1.32"}, validation: {regex: "^[a-z ]+$"}}
  confirmation: {text: read the notes, checklist: [{label: backups done}]}
  bindings: {create: [{groupName: developers}], write: [{groupName: platform}]}
"#;

pub const CONTEXT_SMALL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: ServiceContext
metadata: {name: network, namespace: infra}
spec: {configuration: {vpc: vpc-1, zones: [a, b]}}
"#;

pub const CONTEXT_FULL: &str = r#"apiVersion: deployments.plural.sh/v1alpha1
kind: ServiceContext
metadata: {name: database-ctx, namespace: infra}
spec:
  name: database
  projectRef: {name: orchard-prod}
  configuration: {engine: postgres, size: {cpu: 4}}
  configMapRefs: [{name: db-common}, {name: db-eu, scope: eu}]
  secretRef: {name: db-secrets}
"#;

/// Every block and field of the tables in section 9.
pub const AUTOMATION_WITH_EVERYTHING: &str = r##"apiVersion: deployments.plural.sh/v1alpha1
kind: PrAutomation
metadata: {name: whole}
spec:
  reconciliation: {interval: 10m}
  bindings: {write: [{groupName: platform}], create: [{groupName: developers}]}
  confirmation: {checklist: [{label: backups done}], text: read the notes}
  secrets:
    entries: [{documentation: what for, name: token, autogenerate: true}]
    name: queue
    namespace: infra
    cluster: fleet
  configuration:
  - values: [a, b]
    validation: {uniqBy: {scope: PROJECT}, json: false, regex: "^[ab]$"}
    condition: {value: x, field: other, operation: PREFIX}
    optional: false
    page: 2
    placeholder: pick one
    displayName: Letter
    longform: a long text
    documentation: which letter
    default: a
    name: letter
    type: ENUM
  repositoryRef: {name: fleet}
  projectRef: {name: orchard-prod}
  catalogRef: {name: messaging}
  scmConnectionRef: {name: forge}
  serviceRef: {name: queue, namespace: infra}
  clusterRef: {name: fleet, namespace: infra}
  addon: queue
  darkIcon: https://img.orchard.test/dark.png
  icon: https://img.orchard.test/light.png
  labels: [automated, bump]
  git: {url: https://git.orchard.test/t.git, files: [a.yaml], folder: templates, ref: main}
  lua: {folder: scripts, script: "return 1", external: false}
  ai: {prompt: be careful, enabled: true}
  vendor: {helm: {destination: charts, version: 1.2.3, chart: queue, url: https://charts.orchard.test}}
  deletes: {folders: [attic], files: [old.yaml]}
  creates:
    templates:
    - {condition: context.on, external: false, context: {b: 1, a: "x < y"}, destination: out.yaml}
    git: {url: https://git.orchard.test/u.git, files: [b.yaml], folder: other, ref: v1}
  updates:
    matchStrategy: RECURSIVE
    yq: .a = 1
    replaceTemplate: "{{ context.v }}"
    files: [main.tf]
    yamlOverlays: [{templated: true, listMerge: APPEND, yaml: "a: 1", file: values.yaml}]
    regexReplacements: [{templated: false, file: main.tf, replacement: new, regex: old}]
    regexes: ["v[0-9]+"]
  proxy: {noproxy: .orchard.test, url: http://proxy.orchard.test}
  branchPrefix: bot/
  patch: true
  branch: trunk
  message: a message
  title: a title
  documentation: what it does
  identifier: orchard/fleet
  role: UPDATE
  name: everything
"##;
