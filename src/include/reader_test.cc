// <fxt/reader.hpp> on a trace, and on the vectors: it delivers as many records and events as C does.
#include <fxt/reader.hpp>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fxt/write.h>

static void trace_of_two_events()
{
    std::uint8_t bytes[400];
    fxt_writer writer;
    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_write_magic(&writer);
    fxt_event event = {};
    event.event_type = FXT_EVENT_INSTANT;
    event.thread = fxt_thread_inline(7, 8);
    event.category = fxt_string_index(3);
    event.name = fxt_string_inline("name", 4);
    const fxt_arg args[] = {fxt_make_int32(fxt_string_inline("n", 1), -1),
                            fxt_make_bool(fxt_string_inline("b", 1), true)};
    fxt_write_event(&writer, &event, args, 2);
    std::memset(bytes + writer.size, 0, 8);
    writer.size += 8;
    fxt_write_event(&writer, &event, args, 1);

    std::vector<std::size_t> counts;
    fxt::events events(bytes, writer.size);
    for (const fxt::event &each : events) {
        std::size_t count = 0;
        for (const fxt_arg &arg : each)
            count += fxt::text(arg.name) == (count == 0 ? "n" : "b");
        counts.push_back(count);
        assert(fxt::text(each.name) == "name");
        assert(!fxt::text(each.category).has_value());
        assert(fxt::text(fxt_string_index(0)) == "");
        assert(fxt::text(fxt_string_ref{nullptr, FXT_STRING_INLINE}) == ""); // STR-06
    }
    assert((counts == std::vector<std::size_t>{2, 1}));
    assert(events.skipped() == 0 && events.error().status == FXT_END);

    fxt::records records(bytes, writer.size - 8);
    std::vector<unsigned> types;
    for (const fxt_record &record : records)
        types.push_back(record.type);
    assert((types == std::vector<unsigned>{FXT_RECORD_METADATA, FXT_RECORD_EVENT}));
    assert(records.error().status == FXT_TRUNCATED && records.error().rule == FXT_RULE_REC_03);

    fxt::records again(bytes, writer.size);
    auto at = again.begin();
    const fxt_record first = *at++;
    assert(first.type == FXT_RECORD_METADATA && at->type == FXT_RECORD_EVENT);
}

static void same_as_c(const std::vector<std::uint8_t> &bytes)
{
    fxt_reader reader;
    fxt_record record;
    fxt_error error;
    fxt_event event;
    fxt_status status;
    std::uint64_t count = 0;
    std::uint64_t event_count = 0;
    std::uint64_t skipped = 0;
    fxt_reader_init(&reader, bytes.data(), bytes.size());
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK || status == FXT_ZERO_WORD) {
        if (status == FXT_ZERO_WORD)
            continue;
        count++;
        status = fxt_read_event(&record, &event, &error);
        event_count += status == FXT_OK;
        skipped += status == FXT_MALFORMED;
    }
    fxt::records records(bytes.data(), bytes.size());
    fxt::events events(bytes.data(), bytes.size());
    for (const fxt_record &each : records)
        count -= each.words > 0;
    for (const fxt::event &each : events)
        event_count -= each.event_type < 16;
    assert(count == 0 && event_count == 0);
    assert(events.skipped() == skipped);
    assert(events.error().status == status && records.error().status == status);
}

// The vectors as conformance/extract.py packs them: a line of sizes, a line a finding, then the trace.
int main(int argc, char **argv)
{
    trace_of_two_events();
    std::FILE *pack = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
    assert(pack != nullptr);
    unsigned traces = 0;
    std::size_t findings;
    std::size_t size;
    long others[2];
    char line[256];
    while (std::fgets(line, sizeof line, pack) != nullptr) {
        assert(std::sscanf(line, "%*s %*d %zu %zu %ld %ld", &findings, &size, &others[0],
                           &others[1]) == 4);
        for (; findings > 0; findings--)
            assert(std::fgets(line, sizeof line, pack) != nullptr);
        std::vector<std::uint8_t> bytes(size);
        assert(std::fread(bytes.data(), 1, size, pack) == size);
        same_as_c(bytes);
        traces++;
        std::fseek(pack, others[0] + others[1], SEEK_CUR);
    }
    std::fclose(pack);
    assert(traces > 400);
    return 0;
}
