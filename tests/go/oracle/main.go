// Command oracle answers questions about Go's own parsers, so that the Rust tests can compare themselves with Go
// itself instead of with a memory of it.
//
// It reads one case per line on standard input, as JSON, and writes one answer per line in the same order:
//
//	{"op":"parse_int","text":"0600","base":10,"bits":32}  the number, and Go's error beside it
//	{"op":"quote","text":"a\tb"}                          the text as strconv.Quote writes it
//	{"op":"print_classes"}                                every code point sorted by strconv.IsPrint
//	{"op":"parse_duration","text":"1h30m"}                nanoseconds
//	{"op":"format_duration","ns":90000000000}             the text of time.Duration
//	{"op":"yaml_scalar","yaml":"a: 0600"}                 JSON type and value of the key "a"
//	{"op":"json","text":"{\"b\":1,\"a\":2}"}              the JSON as Go's encoder writes it, keys in their order
//	{"op":"json_of_any","text":"{\"b\":1,\"a\":2}"}       the same after it was decoded into any
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sigs.k8s.io/yaml"
)

type question struct {
	Op   string `json:"op"`
	Text string `json:"text"`
	Base int    `json:"base"`
	Bits int    `json:"bits"`
	Ns   int64  `json:"ns"`
	Yaml string `json:"yaml"`
}

// Numbers travel as text: a JSON reader on the other side might round them.
type answer struct {
	Type  string  `json:"type,omitempty"`
	Value string  `json:"value"`
	Error *string `json:"error,omitempty"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	buffered := bufio.NewWriter(out)
	questions := json.NewDecoder(bufio.NewReader(in))
	answers := json.NewEncoder(buffered)
	for {
		var q question
		if err := questions.Decode(&q); errors.Is(err, io.EOF) {
			return buffered.Flush()
		} else if err != nil {
			return err
		}
		a, err := reply(q)
		if err != nil {
			return err
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

// reply fails only for a question that makes no sense; what Go's parsers refuse is part of the answer.
func reply(q question) (answer, error) {
	switch q.Op {
	case "parse_int":
		value, err := strconv.ParseInt(q.Text, q.Base, q.Bits)
		return withError(answer{Value: strconv.FormatInt(value, 10)}, err), nil
	case "quote":
		return answer{Value: strconv.Quote(q.Text)}, nil
	case "print_classes":
		return answer{Value: printClasses()}, nil
	case "parse_duration":
		value, err := time.ParseDuration(q.Text)
		return withError(answer{Value: strconv.FormatInt(int64(value), 10)}, err), nil
	case "format_duration":
		return answer{Value: time.Duration(q.Ns).String()}, nil
	case "yaml_scalar":
		return yamlScalar(q.Yaml)
	case "json":
		return ordered(q.Text)
	case "json_of_any":
		return ofAny(q.Text)
	}
	return answer{}, fmt.Errorf("unknown op %q", q.Op)
}

func ofAny(text string) (answer, error) {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return answer{}, err
	}
	written, err := json.Marshal(value)
	return answer{Value: string(written)}, err
}

// ordered writes JSON as a struct with its keys in this order would be written: token by token, each by Go's encoder.
func ordered(text string) (answer, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var out bytes.Buffer
	if err := orderedValue(decoder, &out); err != nil {
		return answer{}, err
	}
	return answer{Value: out.String()}, nil
}

func orderedValue(decoder *json.Decoder, out *bytes.Buffer) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	delimiter, isDelimiter := token.(json.Delim)
	if !isDelimiter {
		return orderedScalar(token, out)
	}
	out.WriteRune(rune(delimiter))
	for first := true; decoder.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		if delimiter == '{' {
			if err := orderedValue(decoder, out); err != nil {
				return err
			}
			out.WriteByte(':')
		}
		if err := orderedValue(decoder, out); err != nil {
			return err
		}
	}
	end, err := decoder.Token()
	if err != nil {
		return err
	}
	out.WriteRune(rune(end.(json.Delim)))
	return nil
}

// orderedScalar writes whole numbers as the integers that a struct holds, and others as floats.
func orderedScalar(token any, out *bytes.Buffer) error {
	value := token
	if number, isNumber := token.(json.Number); isNumber {
		if whole, err := strconv.ParseInt(number.String(), 10, 64); err == nil && number != "-0" {
			value = whole
		} else if whole, err := strconv.ParseUint(number.String(), 10, 64); err == nil {
			value = whole
		} else if value, err = number.Float64(); err != nil {
			return err
		}
	}
	written, err := json.Marshal(value)
	out.Write(written)
	return err
}

func withError(a answer, err error) answer {
	if err != nil {
		text := err.Error()
		a.Error = &text
	}
	return a
}

func yamlScalar(document string) (answer, error) {
	converted, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		return withError(answer{}, err), nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(converted, &fields); err != nil {
		return answer{}, fmt.Errorf("%q is not a mapping: %w", document, err)
	}
	raw, found := fields["a"]
	if !found {
		return answer{}, fmt.Errorf("%q has no key a", document)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value interface{}
	if err := decoder.Decode(&value); err != nil {
		return answer{}, err
	}
	switch value := value.(type) {
	case nil:
		return answer{Type: "null", Value: "null"}, nil
	case bool:
		return answer{Type: "bool", Value: strconv.FormatBool(value)}, nil
	case json.Number:
		return answer{Type: "number", Value: value.String()}, nil
	case string:
		return answer{Type: "string", Value: value}, nil
	}
	return answer{}, fmt.Errorf("%q: the value of a is not a scalar", document)
}

// printClasses lists all code points as runs "first-last:class", in hexadecimal and separated by commas. The class is
// p for printable, u for a code point that this Go's Unicode tables do not know, and n for the rest.
func printClasses() string {
	var runs []string
	first, class := rune(0), classOf(0)
	for r := rune(1); r <= unicode.MaxRune+1; r++ {
		next := byte(0)
		if r <= unicode.MaxRune {
			next = classOf(r)
		}
		if next != class {
			runs = append(runs, fmt.Sprintf("%x-%x:%c", first, r-1, class))
			first, class = r, next
		}
	}
	return strings.Join(runs, ",")
}

func classOf(r rune) byte {
	switch {
	case strconv.IsPrint(r):
		return 'p'
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Z):
		// Not unicode.C, which has included the unassigned code points since Go 1.25.
		return 'n'
	}
	return 'u'
}
