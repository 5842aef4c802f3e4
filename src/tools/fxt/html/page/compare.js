// What changed from the old trace of two to the new one: by name, as `fxt report --diff` has it, and
// by stack.
import {byName, eachSlice, stacks} from './aggregate.js';
import {ASYNC, CPU} from './data.js';

const DEVIATIONS = 3; // a change is large if it is more than so many
const MEDIAN_VARIANCE = 0.8632; // pi / 2 / 1.349^2, as src/tools/fxt/report/changes.c explains
const COUNT_MIN = 10; // fewer durations have no quartiles worth the name
const BUCKETS = 16; // an octave: percentiles of a report differ by up to one for no reason

// The rows of each trace in a range that has some of them; of a trace that has none there, all.
export function sidesOf(trace, rows) {
  return [0, 1].map((side) => {
    const ofSide = (row) => row.track.group.side === side && row.track.kind !== CPU;
    const chosen = rows.filter(ofSide);
    return chosen.length > 0 ? chosen : trace.rows.filter(ofSide);
  });
}

// Between the places that are next to it.
export function percentile(sorted, percent) {
  const place = ((sorted.length - 1) * percent) / 100;
  const before = sorted[Math.floor(place)];
  return Math.round(before + (sorted[Math.ceil(place)] - before) * (place % 1));
}

// By name: {count, total, squares, p50, spread} of the slices that have an end.
function sums(trace, rows, range) {
  const {name, unfinished} = trace.slices;
  const lengths = new Map();
  eachSlice(trace, rows, range, (slice, ns) => {
    if (unfinished.has(slice)) return;
    if (!lengths.has(name[slice])) lengths.set(name[slice], []);
    lengths.get(name[slice]).push(ns);
  });
  const totals = new Map(byName(trace, rows, range).map((row) => [row.name, row.total]));
  const found = new Map();
  for (const [key, list] of lengths) {
    const sorted = Float64Array.from(list).sort();
    found.set(key, {
      count: sorted.length,
      total: totals.get(key),
      squares: sorted.reduce((sum, ns) => sum + ns * ns, 0),
      p50: percentile(sorted, 50),
      spread: percentile(sorted, 75) - percentile(sorted, 25),
    });
  }
  return found;
}

function isTotalLarge(a, b) {
  return (b.total - a.total) ** 2 > DEVIATIONS ** 2 * (a.squares + b.squares);
}

function isMedianLarge(a, b) {
  const by = Math.abs(b.p50 - a.p50);
  const variance = ({spread, count}) => (MEDIAN_VARIANCE * spread * spread) / count;
  return (
    Math.min(a.count, b.count) >= COUNT_MIN &&
    by * BUCKETS > Math.max(a.p50, b.p50) &&
    by * by > DEVIATIONS ** 2 * (variance(a) + variance(b))
  );
}

// {name, isAsync, old, new, isTotalLarge, isMedianLarge}; `old` or `new` is null if that trace has
// none of the name.
export function changes(trace, sides, range) {
  const list = [];
  for (const isAsync of [false, true]) {
    const [old, young] = sides.map((rows) =>
      sums(
        trace,
        rows.filter((row) => (row.track.kind === ASYNC) === isAsync),
        range,
      ),
    );
    for (const name of new Set([...old.keys(), ...young.keys()])) {
      const [a, b] = [old.get(name) ?? null, young.get(name) ?? null];
      list.push({
        name,
        isAsync,
        old: a,
        new: b,
        isTotalLarge: a !== null && b !== null && isTotalLarge(a, b),
        isMedianLarge: a !== null && b !== null && isMedianLarge(a, b),
      });
    }
  }
  return list;
}

// The stacks of both: nodes as those of `stacks`, with {total, count} of `old` and `new`. A total is
// that of both, so a stack that is gone still has a width.
export function stackChanges(trace, sides, range) {
  const trees = sides.map((rows) => stacks(trace, rows, range));
  for (const tree of trees) tree.count = tree.children.size; // that a trace has none says its text
  const part = (node) => ({total: node?.total ?? 0, count: node?.count ?? 0});
  const make = (name, nodes) => {
    const [a, b] = nodes.map(part);
    return {
      name,
      total: a.total + b.total,
      count: a.count + b.count,
      old: a,
      new: b,
      children: new Map(),
    };
  };
  const root = make(-1, trees);
  const open = [[root, trees]];
  while (open.length > 0) {
    const [node, nodes] = open.pop();
    for (const name of new Set(nodes.flatMap((of) => [...(of?.children.keys() ?? [])]))) {
      const inner = nodes.map((of) => of?.children.get(name));
      const child = make(name, inner);
      node.children.set(name, child);
      open.push([child, inner]);
    }
  }
  return root;
}

// "+12.3 %", or that it is new, or gone. old, young: totals with their counts, or null.
export function changeText(old, young, of = 'total') {
  if (!old?.count) return 'new';
  if (!young?.count) return 'gone';
  if (old[of] === young[of]) return '0.0 %';
  const percent = ((young[of] - old[of]) / old[of]) * 100;
  if (!(percent < 9999.5)) return '> 9999 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`;
}

// From -1, all of it is gone, to 1, all of it is new.
export function changeShare(old, young) {
  return (young.total - old.total) / Math.max(old.total, young.total, 1e-9);
}
