// The records and the events of a trace as ranges, in C++17. Header only; links libfxtref.
//
//     std::size_t count(const std::uint8_t *bytes, std::uint64_t size)
//     {
//         std::size_t found = 0;
//         fxt::events events(bytes, size);
//         for (const fxt::event &event : events)
//             for (const fxt_arg &arg : event)
//                 found += fxt::text(arg.name) == "count";
//         return found + events.skipped();
//     }
//
// A range can be read once. An event is valid until the next increment; its strings live as long as
// the bytes of the trace. Nothing allocates or throws. Only one thread at a time may use a range.
#ifndef FXT_READER_HPP
#define FXT_READER_HPP

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include <fxt/events.h>

namespace fxt {

inline std::string_view text(fxt_bytes bytes)
{
    return bytes.bytes == nullptr ? std::string_view()
                                  : std::string_view(fxt_bytes_text(bytes),
                                                     static_cast<std::size_t>(bytes.size));
}

// The text of an inline reference. nullopt if the reference is an index, which needs tables.
inline std::optional<std::string_view> text(fxt_string_ref ref)
{
    if (ref.ref != 0 && ref.ref < FXT_STRING_INLINE)
        return std::nullopt;
    return text(fxt_bytes{ref.bytes, fxt_string_ref_length(ref)});
}

inline std::optional<std::string_view> text(const fxt_tables &tables, fxt_string_ref ref)
{
    fxt_bytes found;
    if (!fxt_tables_string(&tables, &found, ref))
        return std::nullopt;
    return text(found);
}

// An event, and the range of its arguments.
struct event : fxt_event {
    fxt_arg all[FXT_ARGS_MAX];
    const fxt_arg *begin() const { return all; }
    const fxt_arg *end() const { return all + args.count; }
};

// The iterator of both ranges. Range has `bool next()` and `const Value &value()`.
template <typename Range, typename Value> class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value *;
    using reference = const Value &;

    iterator() = default; // the end
    explicit iterator(Range *range) : range_(range) { ++*this; }
    reference operator*() const { return range_->value(); }
    pointer operator->() const { return &range_->value(); }
    iterator &operator++()
    {
        if (!range_->next())
            range_ = nullptr;
        return *this;
    }
    // The value from before the step: *it++.
    struct before {
        Value value;
        const Value &operator*() const { return value; }
    };
    before operator++(int)
    {
        before was{**this};
        ++*this;
        return was;
    }
    friend bool operator==(iterator a, iterator b) { return a.range_ == b.range_; }
    friend bool operator!=(iterator a, iterator b) { return a.range_ != b.range_; }

  private:
    Range *range_ = nullptr;
};

// The range of all records, framed but not decoded. Zero words are skipped.
class records {
  public:
    records(const std::uint8_t *bytes, std::uint64_t size) { fxt_reader_init(&reader_, bytes, size); }
    iterator<records, fxt_record> begin() { return iterator<records, fxt_record>(this); }
    iterator<records, fxt_record> end() { return {}; }
    const fxt_error &error() const { return error_; } // at the end: FXT_END, or the error
    const fxt_record &value() const { return record_; }
    bool next()
    {
        fxt_status status;
        do
            status = fxt_reader_next(&reader_, &record_, &error_);
        while (status == FXT_ZERO_WORD);
        if (status == FXT_END)
            error_ = {reader_.position, FXT_END, FXT_RULE_NONE};
        return status == FXT_OK;
    }

  private:
    fxt_reader reader_{};
    fxt_record record_{};
    fxt_error error_{};
};

// The range of all events. With tables that the caller has initialized, text, thread and ns resolve
// what the latest event refers to. For an event that was kept from an earlier step they return nullopt.
class events {
  public:
    events(const std::uint8_t *bytes, std::uint64_t size, fxt_tables *tables = nullptr)
    {
        fxt_events_init(&events_, bytes, size, tables);
    }
    iterator<events, event> begin() { return iterator<events, event>(this); }
    iterator<events, event> end() { return {}; }
    std::uint64_t skipped() const { return events_.skipped; }
    std::uint64_t unregistered() const { return events_.unregistered; }
    const fxt_error &error() const { return events_.error; }
    const event &value() const { return event_; }
    std::optional<std::string_view> text(const fxt_event &of, fxt_string_ref ref) const
    {
        fxt_bytes found;
        if (!fxt_events_string(&events_, &found, &of, ref))
            return std::nullopt;
        return fxt::text(found);
    }
    std::optional<fxt_thread_ref> thread(const fxt_event &of) const
    {
        fxt_thread_ref found;
        if (!fxt_events_thread(&events_, &found, &of))
            return std::nullopt;
        return found;
    }
    std::optional<std::uint64_t> ns(const fxt_event &of) const
    {
        std::uint64_t found;
        if (!fxt_events_ns(&events_, &found, &of))
            return std::nullopt;
        return found;
    }
    bool next() { return fxt_events_next(&events_, &event_, event_.all); }

  private:
    fxt_events events_{};
    event event_{};
};

} // namespace fxt

#endif
