"""Readers that are toy.py but for one mistake, each of which a program under test has had."""
import toy


class Times(toy.Reader):
    def time(self, ticks, ts="ts", ns="ns"):
        return super().time(ticks & (1 << 63) - 1, ts, ns)


class TimesMore(toy.Reader):
    def time(self, ticks, ts="ts", ns="ns"):
        times = super().time(ticks, ts, ns)
        return {ts: ticks, ns: times[ns] + 1}


class TimesNegative(toy.Reader):
    def time(self, ticks, ts="ts", ns="ns"):
        return {key: toy.signed(value, 64) for key, value in super().time(ticks, ts, ns).items()}


class FirstRate(toy.Reader):
    def initialization(self, h, span):
        if not hasattr(self.provider, "given"):
            super().initialization(h, span)
        self.provider.given = True


class FewArguments(toy.Reader):
    def args(self, span, count):
        args = super().args(span, min(count, 14))
        super().args(span, max(0, count - 14))
        return args


class InlineNames(toy.Reader):
    def value(self, type, h, part):
        value = super().value(type, h, part)
        return value & 0xffffffff if type == 1 and h >> 31 & 1 else value


class Span(toy.Span):
    def string(self, ref):
        return super().string(0x8000 | ref if ref == 0x7fff else ref)

    def part(self, size):
        part = super().part(size)
        return Span(part.words, part.raw, part.at, part.end, part.provider)


class LargestIndex(toy.Reader):
    def record(self, h, span):
        super().record(h, Span(span.words, span.raw, span.at, span.end, span.provider))


class Threads(toy.Reader):
    def new_provider(self):
        provider = super().new_provider()
        provider.threads = self.providers[0].threads
        return provider


class Sorted(toy.Reader):
    key = "ts"

    def read(self, data):
        super().read(data)
        sorts = [at for at, line in enumerate(self.lines) if self.key in line and (
            self.key == "ts" or line["event"].startswith("async"))]
        for at, line in zip(sorts, sorted((self.lines[at] for at in sorts), key=lambda line: line[self.key])):
            self.lines[at] = dict(line)


class SortedById(Sorted):
    key = "id"


class Trims(toy.Reader):
    def deliver(self, kind, **fields):
        trimmed = {key: value.rstrip(" ") if isinstance(value, str) and key in ("name", "category") else value
                   for key, value in fields.items()}
        super().deliver(kind, **trimmed)

    def value(self, type, h, part):
        value = super().value(type, h, part)
        return value.rstrip(" ") if type == 6 and isinstance(value, str) else value


MISTAKES = {
    "keeps 63 bits of timestamps": Times,
    "adds 1 to nanoseconds": TimesMore,
    "takes timestamps for signed numbers": TimesNegative,
    "ignores a change of the ticks per second": FirstRate,
    "drops the 15th argument": FewArguments,
    "loses the sign of an int32 with an inline name": InlineNames,
    "takes the string ref 0x7fff for an inline one": LargestIndex,
    "has one thread table for all providers": Threads,
    "sorts events by time": Sorted,
    "sorts async events by their id": SortedById,
    "trims spaces from the end of texts": Trims,
}
ERRORS = {
    "int32-unsigned": "loses the sign of an int32",
    "sections-ignored": "ignores provider sections",
    "shared-tables": "has one string table and one thread table for all providers",
}
