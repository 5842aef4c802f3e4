// Two traces as one, for a page that compares them: all of the old one, then all of the new one.
// Each begins at 0. Equal names have one number.

// shift: of the numbers of `b` that are no -1.
function concat(a, b, shift = 0) {
  const both = new a.constructor(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  if (shift > 0)
    for (let i = a.length; i < both.length; i++) if (both[i] >= 0) both[i] += shift;
  return both;
}

// The names of both, and the number of each name of `b` among them.
function joinNames(a, b) {
  const names = [...a];
  const numbers = new Map(a.map((name, i) => [name, i]));
  const renamed = b.map((name) => {
    if (!numbers.has(name)) numbers.set(name, names.push(name) - 1);
    return numbers.get(name);
  });
  return {names, renamed};
}

function concatNames(a, b, {names, renamed}) {
  const length = a.length + b.length;
  const both = names.length <= 65536 ? new Uint16Array(length) : new Uint32Array(length);
  both.set(a);
  for (let i = 0; i < b.length; i++) both[a.length + i] = renamed[b[i]];
  return both;
}

// Levels of columns that follow each other. No range reaches from one into the other.
function concatLevels(a, b, size) {
  return {
    best: (begin, end) =>
      begin < size ? a.best(begin, end) : size + b.best(begin - size, end - size),
  };
}

// Slices or instants. shifts: of their arguments.
function joinItems(a, b, joined, shifts) {
  return {
    count: a.count + b.count,
    old: a.count,
    time: concat(a.time, b.time),
    name: concatNames(a.name, b.name, joined),
    category: concatNames(a.category, b.category, joined),
    args: concat(
      a.args.subarray(0, a.count).map((at) => at + shifts[0]),
      b.args,
      shifts[1],
    ),
  };
}

function joinSlices(a, b, joined, shifts) {
  return {
    ...joinItems(a, b, joined, shifts),
    duration: concat(a.duration, b.duration),
    parent: concat(a.parent, b.parent, a.count),
    unfinished: new Set([...a.unfinished, ...[...b.unfinished].map((slice) => slice + a.count)]),
    longest: concatLevels(a.longest, b.longest, a.count),
  };
}

function joinSamples(a, b) {
  return {
    count: a.count + b.count,
    time: concat(a.time, b.time),
    value: concat(a.value, b.value),
    greatest: concatLevels(a.greatest, b.greatest, a.count),
    least: concatLevels(a.least, b.least, a.count),
  };
}

function joinFlows(a, b, slices) {
  return {
    count: a.count + b.count,
    time: concat(a.time, b.time),
    slice: concat(a.slice, b.slice, slices),
    type: concat(a.type, b.type),
    begins: concat(a.begins, b.begins),
  };
}

// The arguments of all slices, then of all instants.
function joinArgs(a, b, cuts) {
  const parts = [
    a.args.subarray(0, cuts[0]),
    b.args.subarray(0, cuts[1]),
    a.args.subarray(cuts[0]),
    b.args.subarray(cuts[1]),
  ];
  return parts.reduce((all, part) => concat(all, part));
}

function move(range, by) {
  range.begin += by;
  range.end += by;
}

function nameSide(trace, side, label) {
  for (const group of trace.groups) Object.assign(group, {side, name: `${label}: ${group.name}`});
}

// Takes over what both have.
export function joinTraces(old, young) {
  const joined = joinNames(old.names, young.names);
  const cuts = [old, young].map(({slices}) => slices.args[slices.count]);
  for (const row of young.rows) move(row, old.slices.count);
  for (const track of young.tracks) {
    for (const row of track.rows) move(row, old.slices.count);
    move(track.instants, old.instants.count);
  }
  for (const counter of young.counters) move(counter, old.samples.count);
  nameSide(old, 0, 'old');
  nameSide(young, 1, 'new');
  return {
    file: `${old.file} → ${young.file}`,
    sides: [old, young].map(({file, span}) => ({file, span})),
    span: Math.max(old.span, young.span),
    names: joined.names,
    newNames: young.names,
    notes: [
      ...old.notes.map((note) => `old: ${note}`),
      ...young.notes.map((note) => `new: ${note}`),
    ],
    slices: joinSlices(old.slices, young.slices, joined, [0, cuts[0]]),
    instants: joinItems(old.instants, young.instants, joined, [cuts[1], old.args.length]),
    samples: joinSamples(old.samples, young.samples),
    flows: joinFlows(old.flows, young.flows, old.slices.count),
    args: joinArgs(old, young, cuts),
    tracks: [...old.tracks, ...young.tracks],
    counters: [...old.counters, ...young.counters],
    groups: [...old.groups, ...young.groups],
    rows: [...old.rows, ...young.rows],
  };
}
