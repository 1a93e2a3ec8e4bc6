complete --keep-order --exclusive --command kcc-backoff --arguments "(COMPLETE=fish kcc-backoff -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
