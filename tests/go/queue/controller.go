package main

import (
	"errors"
	"math"
	"strconv"
	"time"
)

const (
	ceilingKey   = "cnrm.cloud.google.com/backoff-max-delay-in-seconds"
	intervalKey  = "cnrm.cloud.google.com/reconcile-interval-in-seconds"
	actuationKey = "cnrm.cloud.google.com/actuation-mode"
)

// A release, as far as scripts can tell one from another.
type release struct {
	base           time.Duration
	honoursCeiling bool
	pausesByObject bool
}

var releases = map[string]release{
	"1.150.0": {base: 2 * time.Second},
	"main":    {base: 250 * time.Millisecond, honoursCeiling: true, pausesByObject: true},
}

// wakes is the watch filter for a changed annotation; one that is absent counts as empty.
func (r release) wakes(key, old, changed string) bool {
	if old == changed {
		return false
	}
	switch key {
	case ceilingKey:
		return r.honoursCeiling
	case actuationKey:
		return r.pausesByObject
	case intervalKey:
		seconds, err := wholeSeconds(changed)
		return err != nil || seconds != 0
	case "cnrm.cloud.google.com/project-id", "cnrm.cloud.google.com/folder-id", "cnrm.cloud.google.com/organization-id",
		"test.cnrm.cloud.google.com/reconcile-cookie":
		return true
	}
	return false
}

func wholeSeconds(text string) (time.Duration, error) {
	seconds, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, err
	}
	if seconds < 0 {
		return 0, errors.New("negative")
	}
	return time.Duration(seconds) * time.Second, nil
}

// object is what lies in the cluster, and what happens to attempts on it.
type object struct {
	annotations map[string]string
	generation  int
	deleting    bool
	status      status

	fails   bool
	missing bool
}

type status struct {
	ready      bool
	unresolved bool
	// generation is the one that was observed; 0 before any.
	generation int
}

// copied is the object as an attempt sees it, whatever happens to it meanwhile.
func (o object) copied() object {
	annotations := make(map[string]string, len(o.annotations))
	for key, value := range o.annotations {
		annotations[key] = value
	}
	o.annotations = annotations
	return o
}

// result is what a reconciler answers: an error, or a delay; neither is a plain success.
type result struct {
	err   bool
	after time.Duration
}

type verdict struct {
	outcome string
	called  bool
	result  result
	status  status
	gone    bool
	halted  bool
}

// controller is the memory of a direct controller; that of tf stays at 0.
type controller struct {
	direct   bool
	release  release
	failures int
}

// reconcile is one attempt on the object as it was when it began.
func (c *controller) reconcile(o object) verdict {
	interval, intervalErr := 600*time.Second, error(nil)
	text, annotated := o.annotations[intervalKey]
	if annotated {
		interval, intervalErr = wholeSeconds(text)
	}
	observed := o.status.generation == o.generation

	if observed && intervalErr != nil {
		return verdict{outcome: "failed", result: result{err: true}, status: o.status}
	}
	if observed && o.status.ready && annotated && interval == 0 {
		return verdict{outcome: "skipped", status: o.status}
	}
	written := status{generation: o.generation}
	if c.release.pausesByObject && o.annotations[actuationKey] == "Paused" {
		return c.succeed(verdict{status: written}, interval, intervalErr)
	}
	if o.missing {
		if o.status.unresolved {
			written = o.status
		}
		written.unresolved = true
		return verdict{outcome: "unresolved", result: result{err: true}, status: written}
	}
	if o.fails {
		v := verdict{outcome: "failed", called: true, status: written}
		if o.deleting || intervalErr != nil {
			v.result.err = true
			return v
		}
		v.result, v.halted = c.fail(o.annotations[ceilingKey])
		return v
	}
	if o.deleting {
		c.failures = 0
		return verdict{outcome: "succeeded", called: true, gone: true}
	}
	written.ready = true
	return c.succeed(verdict{called: true, status: written}, interval, intervalErr)
}

func (c *controller) succeed(v verdict, interval time.Duration, intervalErr error) verdict {
	if intervalErr != nil {
		v.outcome, v.result = "failed", result{err: true}
		return v
	}
	c.failures = 0
	v.outcome, v.result = "succeeded", result{after: interval}
	return v
}

// fail answers to an error on the main path, and says whether that halts the object.
func (c *controller) fail(annotation string) (result, bool) {
	if !c.direct || !c.release.honoursCeiling || annotation == "" {
		return result{err: true}, false
	}
	ceiling, err := wholeSeconds(annotation)
	if err != nil {
		return result{err: true}, false
	}
	if ceiling == 0 {
		return result{}, true
	}
	c.failures++
	delay := time.Duration(float64(time.Second) * math.Pow(2, float64(c.failures-1)))
	if delay <= 0 || delay > ceiling {
		delay = ceiling
	}
	return result{after: delay}, false
}
