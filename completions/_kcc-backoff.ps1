using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'kcc-backoff' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'kcc-backoff'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'kcc-backoff' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain what happens next with each object of a manifest')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the objects of a fleet, one row each')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Tell what changes in behaviour between two trees, or between two releases')
            [CompletionResult]::new('simulate', 'simulate', [CompletionResultType]::ParameterValue, 'Simulate when the retries come')
            [CompletionResult]::new('reconcile-once', 'reconcile-once', [CompletionResultType]::ParameterValue, 'Plan one pass over objects of the Plural Console')
            [CompletionResult]::new('console-snapshot', 'console-snapshot', [CompletionResultType]::ParameterValue, 'Write what a Console holds of what the objects name, without secrets')
            [CompletionResult]::new('kinds', 'kinds', [CompletionResultType]::ParameterValue, 'List the kinds that are known: controllers by release, modes of the Console''s kinds')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a script that completes commands, options, releases, kinds and files in a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kcc-backoff;explain' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--kcc-version', '--kcc-version', [CompletionResultType]::ParameterName, 'The Config Connector to speak of: X.Y.Z, or main [default: main, where the ceiling annotation works]')
            [CompletionResult]::new('--ceiling-since', '--ceiling-since', [CompletionResultType]::ParameterName, 'The first release that reads the ceiling annotation, if you know it (not up to 1.159)')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Answer as if each object of Config Connector carried the annotation KEY with VALUE (KEY- takes it away); may be repeated. KEY may leave out the domain, as in backoff-max-delay-in-seconds=600')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The current time, as in 2026-11-30T03:12:00Z; the clock''s by default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Leave out the summary line')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out the summary line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;list' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Show only objects with one of these marks, as in halted,ineffective')
            [CompletionResult]::new('--sort-by', '--sort-by', [CompletionResultType]::ParameterName, 'Sort by this, instead of the order of the inputs')
            [CompletionResult]::new('--group-by', '--group-by', [CompletionResultType]::ParameterName, 'Count objects by this, instead of listing them')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with code 1 if any object, shown or not, has one of these marks')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Write a report beside the output, as in markdown=summary.md; may be repeated. $GITHUB_STEP_SUMMARY is added to')
            [CompletionResult]::new('--kcc-version', '--kcc-version', [CompletionResultType]::ParameterName, 'The Config Connector to speak of: X.Y.Z, or main [default: main, where the ceiling annotation works]')
            [CompletionResult]::new('--ceiling-since', '--ceiling-since', [CompletionResultType]::ParameterName, 'The first release that reads the ceiling annotation, if you know it (not up to 1.159)')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Answer as if each object of Config Connector carried the annotation KEY with VALUE (KEY- takes it away); may be repeated. KEY may leave out the domain, as in backoff-max-delay-in-seconds=600')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The current time, as in 2026-11-30T03:12:00Z; the clock''s by default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the line of titles')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Leave out the summary line')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out the summary line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;diff' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'Compare the same objects in --kcc-version and in this release')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Write a report beside the output, as in markdown=summary.md; may be repeated. $GITHUB_STEP_SUMMARY is added to')
            [CompletionResult]::new('--kcc-version', '--kcc-version', [CompletionResultType]::ParameterName, 'The Config Connector to speak of: X.Y.Z, or main [default: main, where the ceiling annotation works]')
            [CompletionResult]::new('--ceiling-since', '--ceiling-since', [CompletionResultType]::ParameterName, 'The first release that reads the ceiling annotation, if you know it (not up to 1.159)')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Answer as if each object of Config Connector carried the annotation KEY with VALUE (KEY- takes it away); may be repeated. KEY may leave out the domain, as in backoff-max-delay-in-seconds=600')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The current time, as in 2026-11-30T03:12:00Z; the clock''s by default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'End with 1 if there are differences')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Leave out the summary')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out the summary')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;simulate' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--failures', '--failures', [CompletionResultType]::ParameterName, 'End after N attempts that failed or ended unresolved [default: 10, without --until]')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'End with the attempts at DURATION from the start; sets no limit of failures')
            [CompletionResult]::new('--succeed-after', '--succeed-after', [CompletionResultType]::ParameterName, 'Attempts succeed after N failures')
            [CompletionResult]::new('--max-delay', '--max-delay', [CompletionResultType]::ParameterName, 'A ceiling to set beside, written like the annotation: whole seconds, 0 halts')
            [CompletionResult]::new('--base-delay', '--base-delay', [CompletionResultType]::ParameterName, 'Another first delay for every ladder')
            [CompletionResult]::new('--reconcile-duration', '--reconcile-duration', [CompletionResultType]::ParameterName, 'How long an attempt takes; delays count from its end [default: 0]')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'The clock time of the start, as in 2026-11-30T03:12:00Z [default: now]')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'Simulate under this policy only; `ceiling` takes its seconds from --max-delay')
            [CompletionResult]::new('--compare', '--compare', [CompletionResultType]::ParameterName, 'Simulate under these policies, side by side (delays and times): default, plural, controller-runtime, or the seconds of a ceiling, as in default,600,1800,0')
            [CompletionResult]::new('--jitter', '--jitter', [CompletionResultType]::ParameterName, 'Where drift requeues come in their range: min, mean, max, or the seed of a generator to draw with')
            [CompletionResult]::new('--event', '--event', [CompletionResultType]::ParameterName, 'Something that happens, TIME a Go duration from the start: fails, succeeds, spec, labels, annotate:KEY=VALUE, unannotate:KEY, delete, restart, dependency-missing, dependency-ready; may be repeated. KEY may be ceiling, interval, actuation, or any annotation''s')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--svg', '--svg', [CompletionResultType]::ParameterName, 'Write the same chart to FILE as a picture, beside the output')
            [CompletionResult]::new('--scenario', '--scenario', [CompletionResultType]::ParameterName, 'Play an end-to-end script of Config Connector (script.yaml) instead, in virtual time')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Compare with this file, which holds any part of the steps that --scenario -o yaml prints, and exit with code 1 on a difference')
            [CompletionResult]::new('--fails-while', '--fails-while', [CompletionResultType]::ParameterName, 'Attempts of the script fail while a field of the spec has a value, as in spec.filter=severity>=; an OUTCOME in a step goes before it; may be repeated')
            [CompletionResult]::new('--step-timeout', '--step-timeout', [CompletionResultType]::ParameterName, 'How long a step of the script waits for its condition [default: as Config Connector''s own tests do, 10s for WAIT-FOR-HTTP-REQUEST and 35m for others]')
            [CompletionResult]::new('--kcc-version', '--kcc-version', [CompletionResultType]::ParameterName, 'The Config Connector to speak of: X.Y.Z, or main [default: main, where the ceiling annotation works]')
            [CompletionResult]::new('--ceiling-since', '--ceiling-since', [CompletionResultType]::ParameterName, 'The first release that reads the ceiling annotation, if you know it (not up to 1.159)')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Answer as if each object of Config Connector carried the annotation KEY with VALUE (KEY- takes it away); may be repeated. KEY may leave out the domain, as in backoff-max-delay-in-seconds=600')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The current time, as in 2026-11-30T03:12:00Z; the clock''s by default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--chart', '--chart', [CompletionResultType]::ParameterName, 'Show the attempts over time, on a logarithmic axis, instead of in a table')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit with code 1 if a step of the script would not pass')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Leave out the summary line')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out the summary line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;reconcile-once' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--semantics', '--semantics', [CompletionResultType]::ParameterName, 'By whose rules to plan')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Write a report beside the output: markdown=FILE, junit=FILE, github=FILE (- is standard error); may be repeated. $GITHUB_STEP_SUMMARY is added to')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'End with 1 if an object comes to one of these actions, separated by commas; may be repeated')
            [CompletionResult]::new('--console-url', '--console-url', [CompletionResultType]::ParameterName, 'The address of the Console; /gql is added to one without a path. By default PLURAL_CONSOLE_URL or CONSOLE_URL, each with its _TOKEN, or the Plural CLI''s file')
            [CompletionResult]::new('--console-token-file', '--console-token-file', [CompletionResultType]::ParameterName, 'A file that holds the token for --console-url; PLURAL_CONSOLE_TOKEN by default. A token is no argument: everybody on the machine could read it')
            [CompletionResult]::new('--console-ca', '--console-ca', [CompletionResultType]::ParameterName, 'Certificates (PEM) to trust besides the system''s')
            [CompletionResult]::new('--console-snapshot', '--console-snapshot', [CompletionResultType]::ParameterName, 'Plan from what this file says that the Console holds, with no network and no token')
            [CompletionResult]::new('--replay', '--replay', [CompletionResultType]::ParameterName, 'Plan from a recording')
            [CompletionResult]::new('--record', '--record', [CompletionResultType]::ParameterName, 'Write what was asked and answered, without secrets and tokens')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'How many requests may be in flight at once')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, a Go duration')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'End with 1 if something would be created, adopted, updated or deleted')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Leave out the summary')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out the summary')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell of each request; twice, of each look-up')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell of each request; twice, of each look-up')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;console-snapshot' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same as PATH, as kubectl has it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of objects that name none')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The time to write into it, as in 2026-11-30T03:12:00Z; the clock''s by default')
            [CompletionResult]::new('--console-url', '--console-url', [CompletionResultType]::ParameterName, 'The address of the Console; /gql is added to one without a path. By default PLURAL_CONSOLE_URL or CONSOLE_URL, each with its _TOKEN, or the Plural CLI''s file')
            [CompletionResult]::new('--console-token-file', '--console-token-file', [CompletionResultType]::ParameterName, 'A file that holds the token for --console-url; PLURAL_CONSOLE_TOKEN by default. A token is no argument: everybody on the machine could read it')
            [CompletionResult]::new('--console-ca', '--console-ca', [CompletionResultType]::ParameterName, 'Certificates (PEM) to trust besides the system''s')
            [CompletionResult]::new('--console-snapshot', '--console-snapshot', [CompletionResultType]::ParameterName, 'Plan from what this file says that the Console holds, with no network and no token')
            [CompletionResult]::new('--replay', '--replay', [CompletionResultType]::ParameterName, 'Plan from a recording')
            [CompletionResult]::new('--record', '--record', [CompletionResultType]::ParameterName, 'Write what was asked and answered, without secrets and tokens')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'How many requests may be in flight at once')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, a Go duration')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Look into the subfolders of folders, too')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Leave out the summary')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out the summary')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell of each request; twice, of each look-up')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell of each request; twice, of each look-up')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;kinds' {
            [CompletionResult]::new('--kcc-version', '--kcc-version', [CompletionResultType]::ParameterName, 'The Config Connector to speak of: X.Y.Z, or main [default: main]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'Compare with this release: which kinds of Config Connector differ, from --kcc-version to this one')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only kinds of this API group, in full or its first label (compute); may be repeated')
            [CompletionResult]::new('--group', '--group', [CompletionResultType]::ParameterName, 'Only kinds of this API group, in full or its first label (compute); may be repeated')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Only this kind, in whatever case; may be repeated')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Only this kind, in whatever case; may be repeated')
            [CompletionResult]::new('--controller', '--controller', [CompletionResultType]::ParameterName, 'Only kinds that this controller handles unless something says otherwise (column CONTROLLER; with --against, in either release); may be repeated')
            [CompletionResult]::new('--supports', '--supports', [CompletionResultType]::ParameterName, 'Only kinds for which this controller can be chosen (column SUPPORTED; with --against, in either release); may be repeated')
            [CompletionResult]::new('--mode', '--mode', [CompletionResultType]::ParameterName, 'Only kinds of the Console for which the documentation names this mode; may be repeated')
            [CompletionResult]::new('--system', '--system', [CompletionResultType]::ParameterName, 'Only the kinds of one system')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to print')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out titles and column headers')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Leave out the counts')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out the counts')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour; goes before NO_COLOR and CLICOLOR_FORCE')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kcc-backoff;help' {
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain what happens next with each object of a manifest')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the objects of a fleet, one row each')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Tell what changes in behaviour between two trees, or between two releases')
            [CompletionResult]::new('simulate', 'simulate', [CompletionResultType]::ParameterValue, 'Simulate when the retries come')
            [CompletionResult]::new('reconcile-once', 'reconcile-once', [CompletionResultType]::ParameterValue, 'Plan one pass over objects of the Plural Console')
            [CompletionResult]::new('console-snapshot', 'console-snapshot', [CompletionResultType]::ParameterValue, 'Write what a Console holds of what the objects name, without secrets')
            [CompletionResult]::new('kinds', 'kinds', [CompletionResultType]::ParameterValue, 'List the kinds that are known: controllers by release, modes of the Console''s kinds')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a script that completes commands, options, releases, kinds and files in a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kcc-backoff;help;explain' {
            break
        }
        'kcc-backoff;help;list' {
            break
        }
        'kcc-backoff;help;diff' {
            break
        }
        'kcc-backoff;help;simulate' {
            break
        }
        'kcc-backoff;help;reconcile-once' {
            break
        }
        'kcc-backoff;help;console-snapshot' {
            break
        }
        'kcc-backoff;help;kinds' {
            break
        }
        'kcc-backoff;help;completions' {
            break
        }
        'kcc-backoff;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
