package main

import (
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"
)

// What is in a queue: the object, and two things that make the queue's goroutine predictable.
const (
	theObject = "object"
	// sentinel never becomes due. With it in the queue every pass of the queue's goroutine ends with a new timer.
	sentinel = "sentinel"
	// marker is due at the very instant to which the clock is moved, so that there is always a pass at that instant.
	marker = "marker"
)

// aeon is longer than any script and shorter than the 292 years of a time.Duration.
const aeon = 200 * 365 * 24 * time.Hour

// steppedClock is client-go's fake clock, and tells when a pass of the delaying queue's goroutine is over.
type steppedClock struct {
	*clocktesting.FakeClock
	passes chan struct{}
}

func (c *steppedClock) NewTimer(d time.Duration) clock.Timer {
	timer := c.FakeClock.NewTimer(d)
	// After the timer is there: who hears of the pass may move the clock at once.
	c.passes <- struct{}{}
	return timer
}

// NewTicker makes a ticker that never ticks. The queue's heartbeat would cause passes that nobody counts; a queue that
// needs it to notice what is due would be found out.
func (c *steppedClock) NewTicker(time.Duration) clock.Ticker { return silence{} }

type silence struct{}

func (silence) C() <-chan time.Time { return nil }
func (silence) Stop()               {}

// moveSilently sets the time without firing timers, as if the queue's goroutine were a little late.
func (c *steppedClock) moveSilently(t time.Time) { c.FakePassiveClock.SetTime(t) }

// bucket is the token bucket on the stepped clock: client-go's own adapter asks the real one.
type bucket struct {
	limiter *rate.Limiter
	clock   clock.PassiveClock
}

func (b bucket) When(string) time.Duration {
	now := b.clock.Now()
	return b.limiter.ReserveN(now, 1).DelayFrom(now)
}

func (bucket) Forget(string)          {}
func (bucket) NumRequeues(string) int { return 0 }

// recorder remembers the delay that a limiter gave last, which AddRateLimited tells nobody.
type recorder struct {
	workqueue.TypedRateLimiter[string]
	last time.Duration
}

func (r *recorder) When(item string) time.Duration {
	r.last = r.TypedRateLimiter.When(item)
	return r.last
}

// queue is client-go's queue with everything that can be found out about it without looking inside.
type queue struct {
	workqueue.TypedRateLimitingInterface[string]
	clock    *steppedClock
	recorder *recorder
	// marked says that the marker has not been let out yet.
	marked bool
}

// newQueue makes the queue of a controller that starts at now.
func newQueue(now time.Time, base time.Duration) *queue {
	c := &steppedClock{FakeClock: clocktesting.NewFakeClock(now), passes: make(chan struct{}, 1)}
	limiter := &recorder{TypedRateLimiter: workqueue.NewTypedMaxOfRateLimiter(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](base, 120*time.Second),
		workqueue.TypedRateLimiter[string](bucket{rate.NewLimiter(10, 100), c}),
	)}
	q := &queue{
		TypedRateLimitingInterface: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.TypedRateLimiter[string](limiter), workqueue.TypedRateLimitingQueueConfig[string]{Clock: c}),
		clock:    c,
		recorder: limiter,
	}
	q.addAfter(sentinel, aeon)
	return q
}

// addAfter adds an item after a delay, and returns when the queue's goroutine has taken note.
func (q *queue) addAfter(item string, delay time.Duration) {
	q.AddAfter(item, delay)
	q.passed(delay)
}

// addRateLimited does so after the limiter's delay, which it returns.
func (q *queue) addRateLimited(item string) time.Duration {
	q.AddRateLimited(item)
	q.passed(q.recorder.last)
	return q.recorder.last
}

// passed waits for the pass that an add causes, unless it went past the goroutine for want of a delay.
func (q *queue) passed(delay time.Duration) {
	if delay > 0 {
		<-q.clock.passes
		// Whatever is due by now came out in that pass.
		q.marked = false
	}
}

// moveTo moves the clock. What becomes due stays where it is until letOut, or until something else wakes the queue's
// goroutine.
func (q *queue) moveTo(t time.Time) {
	if q.marked || q.Len() > 0 {
		panic("the clock moves on while something is due")
	}
	q.addAfter(marker, t.Sub(q.clock.Now()))
	q.marked = true
	q.clock.moveSilently(t)
}

// letOut returns when everything that is due by now has been put into the queue.
func (q *queue) letOut() {
	if q.marked {
		q.clock.SetTime(q.clock.Now())
		<-q.clock.passes
		q.marked = false
	}
}

// take returns whether the object came out of the queue to be worked on.
func (q *queue) take() bool {
	for q.Len() > 0 {
		item, _ := q.Get()
		if item == theObject {
			return true
		}
		q.Done(item)
	}
	return false
}
