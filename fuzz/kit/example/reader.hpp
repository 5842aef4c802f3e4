// A small reader of events, as somebody else may have one. It delivers the type and the time of each
// event, and its int32 arguments.
//
// Two mistakes can be compiled in, for the test of this example: -DMISTAKE=1 reads the koids of an
// inline thread without looking whether they are there, -DMISTAKE=2 forgets that an int32 has a sign.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

#ifndef MISTAKE
#define MISTAKE 0
#endif

struct Event {
    unsigned type;
    uint64_t time;
    std::vector<int64_t> numbers;
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
            Event event;
            if ((header & 15) == 4 && decode(at, at + size, event))
                f(event);
        }
    }

  private:
    uint64_t word(size_t at) const
    {
        uint64_t value;
        std::memcpy(&value, bytes_ + 8 * at, 8);
        return value;
    }

    static size_t stream(uint64_t ref)
    {
        return ref & 0x8000 ? ((ref & 0x7fff) + 7) / 8 : 0;
    }

    bool decode(size_t at, size_t end, Event &event) const
    {
        uint64_t header = word(at);
        size_t next = at + 2;
        if (next > end)
            return false;
        event.type = header >> 16 & 15;
        if (event.type > 10)
            return false; // a type that it does not know
        event.time = word(at + 1);
        if ((header >> 24 & 255) == 0) {
            if (MISTAKE == 1 && word(next) == word(next + 1))
                event.time = 0;
            next += 2;
        }
        next += stream(header >> 32 & 0xffff) + stream(header >> 48);
        for (unsigned i = header >> 20 & 15; i > 0; i--)
            if (next >= end || !argument(next, end, event))
                return false;
        if (event.type == 1 || event.type >= 4)
            next++;
        return next <= end;
    }

    bool argument(size_t &at, size_t end, Event &event) const
    {
        uint64_t header = word(at), type = header & 15, size = header >> 4 & 0xfff;
        if (size == 0 || size > end - at)
            return false;
        size_t need = 1 + stream(header >> 16 & 0xffff);
        if (type >= 3 && type <= 8 && type != 6)
            need++;
        if (type == 6)
            need += stream(header >> 32 & 0xffff);
        if (type == 10)
            need += ((header >> 32) + 7) / 8;
        if (type == 1)
            event.numbers.push_back(MISTAKE == 2 ? int64_t(header >> 32) : int32_t(header >> 32));
        at += size;
        return need <= size;
    }

    const uint8_t *bytes_;
    size_t words_;
};
