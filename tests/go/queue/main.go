// Command queue plays scripts of events against client-go's own workqueue and its own ladder of delays, on a clock that
// only the scripts move, so that the Rust simulation can be compared with what it is a model of.
//
// It reads scripts as JSON values on standard input and writes, in the same order, one line of JSON for each: its
// attempts, and whether the last of them halted the object. Times are nanoseconds since the start.
//
// What the controllers of Config Connector answer to an attempt (controller.go) is written here a second time, from its
// description and not from the Rust code; what becomes of the answer is client-go's to say (queue.go).
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"
)

type script struct {
	Controller  string            `json:"controller"`
	Release     string            `json:"release"`
	Annotations map[string]string `json:"annotations"`
	Reconcile   time.Duration     `json:"reconcile"`
	Until       time.Duration     `json:"until"`
	Events      []event           `json:"events"`
}

type event struct {
	At    time.Duration `json:"at"`
	What  string        `json:"what"`
	Key   string        `json:"key"`
	Value string        `json:"value"`
}

type course struct {
	Attempts []attempt `json:"attempts"`
	Halted   bool      `json:"halted"`
}

type attempt struct {
	At      time.Duration `json:"at"`
	Outcome string        `json:"outcome"`
	// Next is nil where nothing comes of the attempt by itself.
	Next   *time.Duration `json:"next"`
	Called bool           `json:"called"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "queue:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var scripts []script
	input := json.NewDecoder(bufio.NewReader(in))
	// A misspelt field would be a rule that nobody plays by.
	input.DisallowUnknownFields()
	for {
		var s script
		if err := input.Decode(&s); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("script %d: %w", len(scripts)+1, err)
		}
		scripts = append(scripts, s)
	}
	courses, err := playAll(scripts)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	output := json.NewEncoder(buffered)
	for _, c := range courses {
		if err := output.Encode(c); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// playAll shares the scripts out: each has a queue and a clock of its own.
func playAll(scripts []script) ([]course, error) {
	courses := make([]course, len(scripts))
	errs := make([]error, len(scripts))
	indexes := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range indexes {
				courses[i], errs[i] = play(scripts[i])
			}
		}()
	}
	for i := range scripts {
		indexes <- i
	}
	close(indexes)
	workers.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("script %d: %w", i+1, err)
		}
	}
	return courses, nil
}
