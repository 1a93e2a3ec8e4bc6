module kcc-backoff/tests/go/queue

go 1.24.0

require (
	golang.org/x/time v0.9.0
	k8s.io/client-go v0.33.10
	k8s.io/utils v0.0.0-20241104100929-3ea5e8cea738
)

require (
	github.com/go-logr/logr v1.4.2 // indirect
	k8s.io/apimachinery v0.33.10 // indirect
	k8s.io/klog/v2 v2.130.1 // indirect
)
