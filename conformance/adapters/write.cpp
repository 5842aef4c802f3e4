// g++ -std=c++17 -o write write.cpp; PROTOCOL.md has the command of run. For a little-endian machine.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>
using Words = std::vector<uint64_t>;
static const std::vector<std::string> events = {
    "instant", "counter", "duration_begin", "duration_end", "duration_complete"};
static const std::vector<std::string> types = {"", "int32", "uint32", "int64", "uint64"};
static uint64_t find(const std::vector<std::string> &names, const std::string &which) {
    return std::find(names.begin(), names.end(), which) - names.begin();
}
static uint64_t number(const std::string &text) { // a negative one wraps
    return text[0] == '-' ? std::stoll(text) : std::stoull(text);
}
struct Text { // an inline string
    Words stream;
    uint64_t length = 0;
    uint64_t ref() const { return length ? 0x8000 | length : 0; }
    explicit Text(const std::string &quoted) {
        std::string bytes;
        for (size_t at = 1; quoted[at] != '"'; at += quoted[at] == '%' ? 3 : 1)
            bytes += quoted[at] == '%' ? char(std::stoi(quoted.substr(at + 1, 2), nullptr, 16)) : quoted[at];
        length = bytes.size();
        stream.resize((length + 7) / 8);
        if (length) std::memcpy(stream.data(), bytes.data(), length);
    }
};
static void append(Words &to, const Words &more) { to.insert(to.end(), more.begin(), more.end()); }
static void put(uint64_t header, const Words &rest) { // the header lacks the size
    header |= (1 + rest.size()) << 4;
    std::cout.write(reinterpret_cast<const char *>(&header), 8);
    std::cout.write(reinterpret_cast<const char *>(rest.data()), 8 * rest.size());
}
static void event(std::map<std::string, std::string> &fields, const Words &args, uint64_t count) {
    uint64_t type = find(events, fields["event"]);
    Text category(fields["category"]), name(fields["name"]);
    Words rest = {number(fields["ts"]), number(fields["process"]), number(fields["thread"])};
    append(rest, category.stream), append(rest, name.stream), append(rest, args);
    if (type == 0) rest.push_back(fields["scope"] == "global" ? 2 : fields["scope"] == "process");
    if (type == 1) rest.push_back(number(fields["id"]));
    if (type == 4) rest.push_back(number(fields["end"]));
    put(4 | type << 16 | count << 20 | category.ref() << 32 | name.ref() << 48, rest);
}
int main(int, char **argv) {
    std::ifstream script(argv[1]);
    std::map<std::string, std::string> fields;
    Words args;
    uint64_t count = 0;
    put(0x0016547846040000, {});
    for (std::string line, key, one, two, three; std::getline(script, line);) {
        std::istringstream(line) >> key >> one >> two >> three;
        if (key == "write" && one == "initialization") put(1, {number(two)});
        if (key == "write" && one == "provider") {
            Text name(three);
            put(1 << 16 | number(two) << 20 | name.length << 52, name.stream);
        } else if (key == "arg") {
            uint64_t type = find(types, one), value = number(three);
            Text name(two);
            uint64_t header = type | (1 + name.stream.size() + (type > 2)) << 4 | name.ref() << 16;
            args.push_back(type > 2 ? header : header | value << 32), append(args, name.stream), count++;
            if (type > 2) args.push_back(value);
        } else if (key == "done")
            event(fields, args, count), fields.clear(), args.clear(), count = 0;
        else
            fields[key] = one;
    }
}
