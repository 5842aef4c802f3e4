// A small reader of events, as somebody else may have one. It delivers the type, provider, time,
// thread, category and name of each event, and its int32 arguments.
//
// Three mistakes can be compiled in, for the test of this example: -DMISTAKE=1 reads the koids of an
// inline thread without looking whether they are there, -DMISTAKE=2 forgets that an int32 has a
// sign, -DMISTAKE=3 has one table of strings for all providers.
#pragma once
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#ifndef MISTAKE
#define MISTAKE 0
#endif

// Neither a text nor a thread is known if its ref is not registered.
struct Text {
    bool known;
    std::string bytes;
};

struct Koids {
    bool known;
    uint64_t process, thread;
};

struct Number {
    Text name;
    int64_t value;
};

struct Event {
    unsigned type;
    uint32_t provider;
    uint64_t time;
    Koids thread;
    Text category, name;
    std::vector<Number> numbers;
};

class Reader
{
  public:
    Reader(const uint8_t *bytes, size_t size) : bytes_(bytes), words_(size / 8)
    {
    }

    // Calls f with each event.
    template <typename F> void read(F f)
    {
        if (words_ > 0 && word(0) == 0x1000044678541600)
            return; // the other byte order
        for (size_t at = 0, size; at < words_; at += size) {
            uint64_t header = word(at);
            size = header >> 4 & ((header & 15) == 15 ? 0xffffffff : 0xfff);
            if (header == 0)
                size = 1;
            if (size == 0 || size > words_ - at)
                return;
            next_ = at + 1;
            end_ = at + size;
            Event event;
            if ((header & 15) == 4 && decode(header, event))
                f(event);
            else
                define(header, at > 0);
        }
    }

  private:
    struct Provider {
        std::map<uint64_t, std::string> strings;
        std::map<uint64_t, Koids> threads;
    };

    uint64_t word(size_t at) const
    {
        uint64_t value;
        std::memcpy(&value, bytes_ + 8 * at, 8);
        return value;
    }

    // The following functions return false if what they read does not end in the record.
    bool take(uint64_t &value)
    {
        if (next_ >= end_)
            return false;
        value = word(next_++);
        return true;
    }

    bool stream(uint64_t size, std::string &text)
    {
        if ((size + 7) / 8 > end_ - next_)
            return false;
        text.assign(reinterpret_cast<const char *>(bytes_ + 8 * next_), size);
        next_ += (size + 7) / 8;
        return true;
    }

    bool string(uint64_t ref, Text &text)
    {
        ref &= 0xffff;
        text.known = true;
        if (ref == 0 || ref & 0x8000)
            return stream(ref & 0x7fff, text.bytes);
        const auto &strings = providers_[MISTAKE == 3 ? 0 : provider_].strings;
        auto found = strings.find(ref);
        text.known = found != strings.end();
        if (text.known)
            text.bytes = found->second;
        return true;
    }

    bool thread(uint64_t ref, Koids &koids)
    {
        if (ref == 0) {
            if (MISTAKE != 1 && end_ - next_ < 2)
                return false;
            koids = {true, word(next_), word(next_ + 1)};
            next_ += 2;
            return true;
        }
        const auto &threads = providers_[provider_].threads;
        auto found = threads.find(ref);
        koids = found == threads.end() ? Koids() : found->second;
        return true;
    }

    // Keeps what a record defines for those that follow.
    void define(uint64_t header, bool again)
    {
        unsigned type = header & 15, kind = header >> 16 & 15;
        std::string text;
        Koids koids = {true, 0, 0};
        if (header == 0x0016547846040010 && again) { // another trace
            providers_.clear();
            provider_ = 0;
        } else if (type == 0 && kind == 1 && stream(header >> 52 & 255, text)) {
            provider_ = header >> 20 & 0xffffffff;
        } else if (type == 0 && kind == 2) {
            provider_ = header >> 20 & 0xffffffff;
        } else if (type == 2 && stream(header >> 32 & 0x7fff, text)) {
            providers_[MISTAKE == 3 ? 0 : provider_].strings[header >> 16 & 0x7fff] = text;
        } else if (type == 3 && take(koids.process) && take(koids.thread)) {
            providers_[provider_].threads[header >> 16 & 255] = koids;
        }
    }

    bool decode(uint64_t header, Event &event)
    {
        event.type = header >> 16 & 15;
        event.provider = provider_;
        if (event.type > 10 || !take(event.time) || !thread(header >> 24 & 255, event.thread) ||
            !string(header >> 32, event.category) || !string(header >> 48, event.name))
            return false; // of a type that it does not know, or damaged
        for (unsigned i = header >> 20 & 15; i > 0; i--)
            if (!argument(event))
                return false;
        uint64_t id;
        return !(event.type == 1 || event.type >= 4) || take(id);
    }

    bool argument(Event &event)
    {
        uint64_t header, value;
        size_t begin = next_, record_end = end_;
        if (!take(header))
            return false;
        unsigned type = header & 15;
        size_t size = header >> 4 & 0xfff;
        if (size == 0 || size > record_end - begin)
            return false;
        end_ = begin + size;
        Text name, text;
        std::string blob;
        bool whole = string(header >> 16, name);
        if (type >= 3 && type <= 8 && type != 6)
            whole = whole && take(value);
        if (type == 6)
            whole = whole && string(header >> 32, text);
        if (type == 10)
            whole = whole && stream(header >> 32, blob);
        if (whole && type == 1)
            event.numbers.push_back(
                {name, MISTAKE == 2 ? int64_t(header >> 32) : int32_t(header >> 32)});
        next_ = end_;
        end_ = record_end;
        return whole;
    }

    const uint8_t *bytes_;
    size_t words_;
    size_t next_ = 0, end_ = 0; // of the record or the argument, in words
    uint32_t provider_ = 0;
    std::map<uint32_t, Provider> providers_;
};
