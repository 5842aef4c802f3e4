// What a range of time and tracks holds: sums by name, a tree of stacks, counters.
import {gallop} from './levels.js';

// Calls each(slice, ns) with the time that every slice of these rows has in the range.
export function eachSlice(trace, rows, {begin, end}, each) {
  const {time, duration} = trace.slices;
  for (const row of rows) {
    let i = Math.max(row.begin, gallop(time, begin, row.begin, row.end) - 1);
    for (; i < row.end && time[i] <= end; i++) {
      const from = Math.max(begin, time[i]);
      const to = Math.min(end, time[i] + duration[i]);
      if (to > from || (to === from && duration[i] === 0)) each(i, to - from);
    }
  }
}

// Calls each(parent, ns) with the time that these slices take of their parents in the range: what
// two slices of one parent have both, once.
function eachCovered(trace, slices, {begin, end}, each) {
  const {time, duration, parent} = trace.slices;
  const until = new Map();
  for (const slice of slices.sort((a, b) => time[a] - time[b])) {
    const from = Math.max(begin, time[slice], until.get(parent[slice]) ?? 0);
    const to = Math.min(end, time[slice] + duration[slice]);
    if (to <= from) continue;
    each(parent[slice], to - from);
    until.set(parent[slice], to);
  }
}

// The parents whose slices overlap, or do not come in the order of time because they are in several
// rows.
function mixedParents(trace, rows, range) {
  const {count, time, duration, parent} = trace.slices;
  const until = new Float64Array(count);
  const mixed = new Set();
  eachSlice(trace, rows, range, (slice) => {
    if (time[slice] < until[parent[slice]]) mixed.add(parent[slice]);
    until[parent[slice]] = time[slice] + duration[slice];
  });
  return mixed;
}

// Whether the time of a slice is in that of another one of its name, which is around it [SUM-01].
function isInOwnName({name, parent, unfinished}, slice) {
  let at = parent[slice];
  while (at >= 0 && (name[at] !== name[slice] || unfinished.has(at))) at = parent[at];
  return at >= 0;
}

// Rows by name: {name, count, total, self, min, max, mean}, times within the range. Slices without
// an end are counted, and in no sum [SUM-03].
export function byName(trace, rows, range) {
  const {name, parent, unfinished} = trace.slices;
  const mixed = mixedParents(trace, rows, range);
  const inMixed = [];
  const found = new Map();
  const rowFor = (key) => {
    let row = found.get(key);
    if (!row) {
      row = {name: key, count: 0, ended: 0, sum: 0, total: 0, self: 0, min: Infinity, max: 0};
      found.set(key, row);
    }
    return row;
  };
  const cover = (slice, ns) => {
    if (slice >= 0 && !unfinished.has(slice)) rowFor(name[slice]).self -= ns;
  };
  eachSlice(trace, rows, range, (slice, ns) => {
    const row = rowFor(name[slice]);
    row.count++;
    if (mixed.has(parent[slice])) inMixed.push(slice);
    else cover(parent[slice], ns);
    if (unfinished.has(slice)) return;
    row.ended++;
    row.sum += ns;
    row.total += isInOwnName(trace.slices, slice) ? 0 : ns;
    row.self += ns;
    row.min = Math.min(row.min, ns);
    row.max = Math.max(row.max, ns);
  });
  eachCovered(trace, inMixed, range, cover);
  return [...found.values()]
    .filter((row) => row.count > 0)
    .map(({ended, sum, ...row}) => ({
      ...row,
      self: Math.max(0, row.self),
      min: ended > 0 ? row.min : 0,
      mean: ended > 0 ? sum / ended : 0,
    }));
}

function child(node, name) {
  let found = node.children.get(name);
  if (!found) node.children.set(name, (found = {name, total: 0, count: 0, children: new Map()}));
  return found;
}

// The stacks, equal ones merged: {name, total, count, children}. A parent may be in any row of its
// track: nodes are made from the root inwards as slices need them.
export function stacks(trace, rows, range) {
  const {count, name, parent} = trace.slices;
  const root = {name: -1, total: 0, count: 0, children: new Map(), place: 0};
  const nodes = [root];
  const places = new Int32Array(count); // in `nodes`; 0: not in the range, -1: no node yet
  const nodeOf = (slice) => {
    const path = []; // without recursion: async slices without length nest to any depth
    let at = slice;
    for (; at >= 0 && places[at] < 0; at = parent[at]) path.push(at);
    let node = nodes[places[at] ?? 0];
    while (path.length > 0) {
      const inner = path.pop();
      node = child(node, name[inner]);
      node.place ??= nodes.push(node) - 1;
      places[inner] = node.place;
    }
    return node;
  };
  eachSlice(trace, rows, range, (slice) => (places[slice] = -1));
  eachSlice(trace, rows, range, (slice, ns) => {
    const node = nodeOf(slice);
    node.total += ns;
    node.count++;
    if (nodeOf(parent[slice]) === root) root.total += ns;
  });
  return root;
}

// {counter, first, last, min, max, mean}: `first` is the first value in the range, or that at its
// begin; the mean is weighted by time. min, max and mean leave out what is no number.
export function counterRows(trace, counters, {begin, end}) {
  const {time, value} = trace.samples;
  const rows = [];
  for (const counter of counters) {
    let i = gallop(time, begin, counter.begin, counter.end);
    if (i > counter.begin && (i === counter.end || time[i] > begin)) i--;
    if (i >= counter.end || time[i] > end) continue;
    const row = {counter, first: value[i], min: Infinity, max: -Infinity, mean: 0};
    let weight = 0;
    for (; i < counter.end && time[i] <= end; i++) {
      row.last = value[i];
      if (Number.isNaN(value[i])) continue;
      row.min = Math.min(row.min, value[i]);
      row.max = Math.max(row.max, value[i]);
      const until = Math.min(end, i + 1 < counter.end ? time[i + 1] : end);
      const ns = until - Math.max(begin, time[i]);
      if (ns <= 0) continue;
      row.mean = row.mean * (weight / (weight + ns)) + value[i] * (ns / (weight + ns));
      weight += ns;
    }
    if (row.min > row.max) row.min = row.max = NaN;
    if (weight === 0) row.mean = row.last;
    rows.push(row);
  }
  return rows;
}

// The time of a slice without the slices directly inside it. rows: those of its track.
export function selfTime(trace, slice, rows) {
  const {time, duration, parent} = trace.slices;
  const range = {begin: time[slice], end: time[slice] + duration[slice]};
  const inside = [];
  let self = duration[slice];
  eachSlice(trace, rows, range, (i) => parent[i] === slice && inside.push(i));
  eachCovered(trace, inside, range, (_, ns) => (self -= ns));
  return self;
}
