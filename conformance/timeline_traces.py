"""Traces in which much happens at one time, late, twice or without its other half: what programs
take in different ways. trace(seed) gives the lines of one in the assembler language."""
import random

NAMES = ["a", "b", "c", "d"]
KOIDS = [(1, 7), (1, 8), (2, 7)]
STATES = ["new", "suspended", "blocked", "dying", "dead"]
BASES = [0, 0, 1000, 1_790_000_000_000_000_000]


class Writer:
    def __init__(self, seed):
        self.rand = random.Random(seed)
        self.providers = self.rand.choice([1, 1, 2])
        self.threads = ["%d/%d" % koids for koids in KOIDS[:self.rand.randrange(1, 4)]]
        if self.rand.random() < .1:
            self.threads.append("@9")  # not registered
        self.rate = self.rand.choice([10**9, 10**6])
        self.base = self.rand.choice(BASES) // (10**9 // self.rate)
        self.now = self.base
        self.lines = []

    def time(self):
        """Often the same as before, now and then an earlier one."""
        self.now += self.rand.choice([0, 0, 0, 1, 1, 2, 5])
        if self.rand.random() < .06:
            return self.base + self.rand.randrange(self.now - self.base + 1)
        return self.now

    def event(self, type, time, more="", args=""):
        rand = self.rand
        thread, category, name = rand.choice(self.threads), rand.choice("xxy"), rand.choice(NAMES)
        self.lines.append('event %s timestamp=%d thread=%s category="%s" name="%s"%s%s' % (
            type, time, thread, category, name, more, args))

    def duration(self):
        self.event(self.rand.choice(["duration_begin", "duration_end"]), self.time())

    def complete(self):
        end = self.time()
        begin = max(self.base, end - self.rand.choice([0, 0, 1, 1, 2, 3, 5, 8]))
        if self.rand.random() < .03:
            begin, end = end + 1, begin
        self.event("duration_complete", begin, " end=%d" % end)

    def instant(self):
        self.event("instant", self.time(), self.rand.choice(["", " scope=process"]))

    def operation(self):
        type = self.rand.choice(["async_begin", "async_begin", "async_end", "async_end",
                                 "async_instant"])
        self.event(type, self.time(), " id=%d" % self.rand.randrange(2))

    def flow(self):
        type = self.rand.choice(["flow_begin", "flow_step", "flow_end"])
        self.event(type, self.time(), " id=%d" % self.rand.randrange(2))

    def counter(self):
        values = ['"v" int64 %d' % self.rand.randrange(-3, 9), '"v" bool true', '"w" double 2.5',
                  '"v" uint64 9223372036854775809', '"s" string "text"', '"p" pointer 16']
        args = self.rand.sample(values, self.rand.randrange(3))
        self.event("counter", self.time(), " id=%d" % self.rand.randrange(2),
                   " { %s }" % ", ".join(args) if args else "")

    def switch(self):
        rand = self.rand
        args = ""
        if rand.random() < .1:
            args = ' { "%s_weight" int32 -2147483648 }' % rand.choice(["incoming", "outgoing"])
        self.lines.append("context_switch timestamp=%d cpu=%d outgoing_state=%s outgoing_thread=%d "
                          "incoming_thread=%d%s" % (
                              self.time(), rand.randrange(2), rand.choice(STATES),
                              rand.choice([0, 7, 7, 8, 9]), rand.choice([0, 7, 7, 8, 9]), args))

    def legacy_switch(self):
        rand = self.rand
        self.lines.append("legacy_switch timestamp=%d cpu=%d outgoing_state=%s outgoing_thread=%s "
                          "incoming_thread=%s outgoing_priority=%d incoming_priority=%d" % (
                              self.time(), rand.randrange(2), rand.choice(STATES),
                              rand.choice(self.threads), rand.choice(self.threads + ["0/9"]),
                              rand.randrange(2), rand.randrange(2)))

    def wakeup(self):
        self.lines.append("thread_wakeup timestamp=%d cpu=%d waking_thread=%d" % (
            self.time(), self.rand.randrange(2), self.rand.choice([0, 7, 8, 9])))

    def name(self):
        rand = self.rand
        process, thread = rand.choice(KOIDS)
        name = rand.choice(NAMES)
        if rand.random() < .5:
            self.lines.append('kernel_object object_type=process koid=%d name="%s"' % (
                process, name))
        else:
            args = rand.choice(['', ' { "process" koid %d }' % process])
            self.lines.append('kernel_object object_type=thread koid=%d name="%s"%s' % (
                thread, name, args))

    def provider(self):
        if self.providers > 1:
            self.lines.append("provider_section provider_id=%d" % self.rand.randrange(1, 3))

    def begin(self):
        self.lines.append("magic")
        for provider in range(self.providers, 0, -1):
            self.lines.append('provider_info provider_id=%d name="p%d"' % (provider, provider))
            self.lines.append("initialization ticks_per_second=%d" % self.rate)

    def write(self):
        rand = self.rand
        kinds = [self.duration, self.complete, self.instant, self.operation, self.flow,
                 self.counter, self.switch, self.wakeup, self.legacy_switch, self.name]
        weights = [rand.choice([0, 1, 4]) for _ in kinds]
        weights[rand.randrange(5)] += 2
        self.begin()
        for _ in range(rand.randrange(4, 45)):
            if rand.random() < .1:
                self.provider()
            rand.choices(kinds, weights)[0]()
        return self.lines


def trace(seed):
    writer = Writer(seed)
    lines = writer.write()
    if seed % 20 == 0:
        writer.now = writer.base
        writer.write()
    return lines
