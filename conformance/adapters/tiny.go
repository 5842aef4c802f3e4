// go build tiny.go && ../run --adapter './tiny {file}' --level events --kinds magic,instant
package main
import ("bytes"; "encoding/binary"; "encoding/hex"; "encoding/json"; "os")
type object map[string]interface{}
func words(ref uint64) uint64 { return (ref >> 15) * ((ref & 0x7fff + 7) / 8) }
func text(ref uint64, stream []byte) interface{} {
	if ref != 0 && ref < 0x8000 { return nil } // no string table here
	return object{"hex": hex.EncodeToString(stream[:ref & 0x7fff])} }
func instant(raw []byte, w []uint64) {
	category, name, at, scope := w[0] >> 32 & 0xffff, w[0] >> 48, uint64(2), "thread"
	e := object{"event": "instant", "provider": 0, "process": nil, "thread": nil, "args": object{}}
	if w[0] >> 24 & 255 == 0 { at = 4 }
	end := at + words(category) + words(name)
	if end > uint64(len(w)) { return } // its contents do not fit
	if at == 4 { e["process"], e["thread"] = w[2], w[3] }
	if end < uint64(len(w)) && w[end] == 1 { scope = "process" }
	if end < uint64(len(w)) && w[end] == 2 { scope = "global" }
	e["ts"], e["scope"], e["category"] = w[1], scope, text(category, raw[8 * at:])
	e["name"] = text(name, raw[8 * (at + words(category)):])
	json.NewEncoder(os.Stdout).Encode(e) }
func main() {
	data, _ := os.ReadFile(os.Args[1])
	w, size := make([]uint64, len(data) / 8), uint64(0)
	binary.Read(bytes.NewReader(data), binary.LittleEndian, w)
	for at := uint64(0); at < uint64(len(w)) && w[0] != 0x1000044678541600; at += size {
		size = w[at] >> 4 & 0xfff
		if w[at] & 15 == 15 { size = w[at] >> 4 & 0xffffffff }
		if w[at] == 0 { size = 1 } else if size == 0 || size > uint64(len(w)) - at { os.Exit(1) }
		if w[at] & 0xff000f == 4 { instant(data[8 * at:], w[at:at + size]) } } // no arguments
	os.Exit(len(data) % 8) }
