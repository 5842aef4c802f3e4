// go build write.go; PROTOCOL.md has the command of run.
package main

import (
	"bufio"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
)

var (
	events = []string{"instant", "counter", "duration_begin", "duration_end", "duration_complete"}
	types  = []string{"", "int32", "uint32", "int64", "uint64"}
	scopes = []string{"thread", "process", "global"}
	out    = bufio.NewWriter(os.Stdout)
)

func find(names []string, which string) uint64 {
	for at, name := range names {
		if name == which {
			return uint64(at)
		}
	}
	panic("no " + which)
}

func number(text string) uint64 { // a negative one wraps
	if text[0] == '-' {
		n, _ := strconv.ParseInt(text, 10, 64)
		return uint64(n)
	}
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}

func text(quoted string) (stream []uint64, length uint64) {
	raw := []byte{}
	for at := 1; quoted[at] != '"'; at++ {
		if quoted[at] == '%' {
			n, _ := strconv.ParseUint(quoted[at+1:at+3], 16, 8)
			raw, at = append(raw, byte(n)), at+2
		} else {
			raw = append(raw, quoted[at])
		}
	}
	length = uint64(len(raw))
	for raw = append(raw, make([]byte, 7)...); len(raw) >= 8; raw = raw[8:] {
		stream = append(stream, binary.LittleEndian.Uint64(raw))
	}
	return
}

func ref(length uint64) uint64 { // of an inline string
	if length == 0 {
		return 0
	}
	return 0x8000 | length
}

func put(header uint64, rest ...uint64) { // the header lacks the size
	header |= uint64(1+len(rest)) << 4
	binary.Write(out, binary.LittleEndian, append([]uint64{header}, rest...))
}

func event(fields map[string]string, args []uint64, count uint64) {
	kind := find(events, fields["event"])
	category, ofCategory := text(fields["category"])
	name, ofName := text(fields["name"])
	rest := []uint64{number(fields["ts"]), number(fields["process"]), number(fields["thread"])}
	rest = append(append(append(rest, category...), name...), args...)
	switch kind {
	case 0:
		rest = append(rest, find(scopes, fields["scope"]))
	case 1:
		rest = append(rest, number(fields["id"]))
	case 4:
		rest = append(rest, number(fields["end"]))
	}
	put(4|kind<<16|count<<20|ref(ofCategory)<<32|ref(ofName)<<48, rest...)
}

func arg(kind uint64, quoted string, value uint64) []uint64 {
	name, length := text(quoted)
	header := kind | uint64(1+len(name))<<4 | ref(length)<<16
	if kind > 2 {
		return append(append([]uint64{header + 1<<4}, name...), value)
	}
	return append([]uint64{header | value<<32}, name...)
}

func main() {
	script, _ := os.ReadFile(os.Args[1])
	fields, args, count := map[string]string{}, []uint64{}, uint64(0)
	put(0x0016547846040000)
	for _, line := range strings.Split(string(script), "\n") {
		switch words := strings.Split(line, " "); words[0] {
		case "":
		case "write":
			if words[1] == "initialization" {
				put(1, number(words[2]))
			} else {
				name, length := text(words[3])
				put(1<<16|number(words[2])<<20|length<<52, name...)
			}
		case "arg":
			args, count = append(args, arg(find(types, words[1]), words[2], number(words[3]))...), count+1
		case "done":
			event(fields, args, count)
			args, count = nil, 0
		default:
			fields[words[0]] = words[1]
		}
	}
	out.Flush()
}
