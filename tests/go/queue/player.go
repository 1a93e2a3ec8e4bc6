package main

import (
	"fmt"
	"slices"
	"time"
)

// origin is the start of every script; which time it is does not matter.
var origin = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

type player struct {
	script     script
	release    release
	queue      *queue
	controller *controller
	object     object
	gone       bool
	running    *running
	course     course
	// candidates are instants at which something may come out of the queue. Whether it does, the queue decides.
	candidates []time.Time
}

// running is an attempt that has begun.
type running struct {
	began, ends time.Time
	seen        object
}

func play(s script) (course, error) {
	known, ok := releases[s.Release]
	if !ok {
		return course{}, fmt.Errorf("release %q", s.Release)
	}
	if s.Controller != "direct" && s.Controller != "tf" {
		return course{}, fmt.Errorf("controller %q", s.Controller)
	}
	for i, e := range s.Events {
		if e.At > s.Until {
			s.Events = s.Events[:i]
			break
		}
	}
	p := &player{
		script:  s,
		release: known,
		object:  object{annotations: s.Annotations, generation: 1, fails: true}.copied(),
		course:  course{Attempts: []attempt{}},
	}
	p.start(origin)
	defer func() { p.queue.ShutDown() }()
	for now, more := origin, true; more; now, more = p.next() {
		if err := p.instant(now); err != nil {
			return course{}, err
		}
	}
	return p.course, nil
}

// start is that of the controller, with nothing in its memory.
func (p *player) start(now time.Time) {
	p.queue = newQueue(now, p.release.base)
	p.controller = &controller{direct: p.script.Controller == "direct", release: p.release}
	if !p.gone {
		p.queue.Add(theObject)
	}
}

func (p *player) isOver(t time.Time) bool { return t.After(origin.Add(p.script.Until)) }

// next moves on to the next instant at which something may happen.
func (p *player) next() (time.Time, bool) {
	now := p.queue.clock.Now()
	p.candidates = slices.DeleteFunc(p.candidates, func(t time.Time) bool { return !t.After(now) })
	instants := slices.Clone(p.candidates)
	if p.running != nil {
		instants = append(instants, p.running.ends)
	}
	if len(p.script.Events) > 0 {
		instants = append(instants, origin.Add(p.script.Events[0].At))
	}
	if len(instants) == 0 {
		return now, false
	}
	next := slices.MinFunc(instants, time.Time.Compare)
	if p.running == nil && p.isOver(next) {
		return now, false
	}
	p.queue.moveTo(next)
	return next, true
}

// instant is all that happens at one: an end, events, what is due, and a beginning.
func (p *player) instant(now time.Time) error {
	p.end(now)
	for len(p.script.Events) > 0 {
		e := p.script.Events[0]
		if origin.Add(e.At).After(now) {
			break
		}
		p.script.Events = p.script.Events[1:]
		if err := p.happen(e, now); err != nil {
			return err
		}
	}
	p.queue.letOut()
	for p.queue.take() {
		if p.gone {
			p.queue.Forget(theObject)
			p.controller.failures = 0
			p.queue.Done(theObject)
			continue
		}
		if p.isOver(now) {
			// Too late for this script, and the last thing that happens in it.
			break
		}
		p.running = &running{began: now, ends: now.Add(p.script.Reconcile), seen: p.object.copied()}
		p.end(now)
	}
	return nil
}

// end ends the attempt that runs, if it takes no longer.
func (p *player) end(now time.Time) {
	if p.running == nil || p.running.ends.After(now) {
		return
	}
	v := p.controller.reconcile(p.running.seen)
	p.object.status, p.gone, p.course.Halted = v.status, v.gone, v.halted
	told := attempt{At: p.running.began.Sub(origin), Outcome: v.outcome, Called: v.called}
	switch {
	case v.result.err:
		delay := p.queue.addRateLimited(theObject)
		told.Next = &delay
	case v.result.after > 0:
		p.queue.Forget(theObject)
		p.queue.addAfter(theObject, v.result.after)
		told.Next = &v.result.after
	default:
		p.queue.Forget(theObject)
	}
	if told.Next != nil {
		p.candidates = append(p.candidates, now.Add(*told.Next))
	}
	p.queue.Done(theObject)
	p.course.Attempts = append(p.course.Attempts, told)
	p.running = nil
}

func (p *player) happen(e event, now time.Time) error {
	switch e.What {
	case "fails":
		p.object.fails = true
	case "succeeds":
		p.object.fails = false
	case "dependency-missing":
		p.object.missing = true
	case "dependency-ready":
		// The controllers of these scripts watch no dependencies.
		p.object.missing = false
	case "restart":
		p.restart(now)
	case "spec":
		p.object.generation++
		p.wake()
	case "labels":
		p.wake()
	case "delete":
		if !p.object.deleting {
			p.object.deleting = true
			p.object.generation++
			p.wake()
		}
	case "annotate", "unannotate":
		old, had := p.object.annotations[e.Key]
		if e.What == "annotate" {
			p.object.annotations[e.Key] = e.Value
		} else {
			delete(p.object.annotations, e.Key)
		}
		if changed, has := p.object.annotations[e.Key]; (has != had || changed != old) && p.release.wakes(e.Key, old, changed) {
			p.wake()
		}
	default:
		return fmt.Errorf("event %q", e.What)
	}
	return nil
}

func (p *player) wake() {
	if !p.gone {
		p.queue.Add(theObject)
	}
}

func (p *player) restart(now time.Time) {
	if p.running != nil {
		told := attempt{At: p.running.began.Sub(origin), Outcome: "interrupted"}
		p.course.Attempts = append(p.course.Attempts, told)
		p.course.Halted = false
		p.running = nil
	}
	// The candidates stay: a queue that lost nothing would let the object out at one of them.
	p.queue.ShutDown()
	p.start(now)
}
