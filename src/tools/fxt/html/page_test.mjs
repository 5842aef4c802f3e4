// The modules of the page that need no browser. Run by node's test runner.
import assert from 'node:assert/strict';
import test from 'node:test';

import {byName, counterRows, selfTime, stacks} from './page/aggregate.js';
import {changeColor, colorOf, luminance, textOn} from './page/color.js';
import {changes, changeText, sidesOf, stackChanges} from './page/compare.js';
import {Cursor} from './page/cursor.js';
import {argsOf, makeCounters} from './page/data.js';
import {chainsOf, flowNeighbour} from './page/flows.js';
import {after, gallop, greater, less, Levels} from './page/levels.js';
import {joinTraces} from './page/pair.js';
import {neighbour, sliceAt} from './page/pick.js';
import {eachPixel, heightOf, paintRow} from './page/rows.js';
import {Search} from './page/search.js';
import {duration, exact, niceStep, numberText, tick} from './page/time.js';
import {clamp, pan, whole, zoom} from './page/view.js';

const BYTES = (...bytes) => new Cursor(Uint8Array.from(bytes));

// What the converter would say of these values.
function levelsOf(values, wins) {
  const bytes = [];
  let best = values.map((_, i) => i);
  while (best.length > 1) {
    const next = [];
    for (let i = 0; i < best.length; i += 16) {
      let at = i;
      for (let k = i; k < Math.min(i + 16, best.length); k++)
        if (wins(values[best[at]], values[best[k]])) at = k;
      bytes.push(at - i);
      next.push(best[at]);
    }
    best = next;
  }
  return new Levels(BYTES(...bytes), Float64Array.from(values), wins);
}

// rows: for each depth a list of [name, begin, end, parent].
function traceOf(rows) {
  const all = rows.flat();
  const column = (i) => all.map((slice) => slice[i]);
  const names = [...new Set(column(0))];
  const time = Float64Array.from(column(1));
  const length = Float64Array.from(all, (slice) => slice[2] - slice[1]);
  const track = {rows: [], name: 't'};
  let begin = 0;
  for (const row of rows) {
    track.rows.push({begin, end: begin + row.length, track});
    begin += row.length;
  }
  return {
    names,
    rows: track.rows.map((row, depth) => ({...row, depth})),
    slices: {
      count: all.length,
      time,
      duration: length,
      unfinished: new Set(),
      name: Uint16Array.from(column(0), (name) => names.indexOf(name)),
      parent: Int32Array.from(column(3), (parent) => parent ?? -1),
      longest: levelsOf([...length], greater),
    },
    flows: {count: 0, slice: new Int32Array(0), begins: new Uint8Array(0)},
  };
}

const NESTED = () =>
  traceOf([
    [
      ['a', 0, 100],
      ['a', 200, 220],
    ],
    [
      ['b', 10, 40, 0],
      ['b', 50, 60, 0],
    ],
    [['c', 20, 30, 2]],
  ]);

test('numbers are LEB128, steps are zigzag', () => {
  assert.equal(BYTES(5).number(), 5);
  assert.equal(BYTES(0x80, 1).number(), 128);
  assert.equal(BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f).number(), 2 ** 53 - 1);
  assert.deepEqual([...BYTES(4, 1, 0).steps(new Float64Array(3))], [2, 1, 1]);
  assert.equal(
    BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1).big(),
    2n ** 64n - 1n,
  );
  assert.equal(
    BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1).signed(),
    -(2n ** 63n),
  );
});

test('steps are exact up to 2^53 and back', () => {
  const values = [0, 2 ** 53 - 1, 0, 2 ** 53 - 2, 1, 2 ** 52, 2 ** 52 + 1, 500, 2 ** 53 - 1, 3];
  const bytes = [];
  values.forEach((value, i) => {
    const by = BigInt(value - (values[i - 1] ?? 0));
    let step = by >= 0n ? by << 1n : (-by << 1n) - 1n;
    for (; step >= 128n; step >>= 7n) bytes.push(Number(step & 127n) | 128);
    bytes.push(Number(step));
  });
  assert.deepEqual([...BYTES(...bytes).steps(new Float64Array(values.length))], values);
});

test('a text argument keeps all its bytes', () => {
  const trace = {names: ['t'], args: Uint8Array.of(0, 6, 4, 0xef, 0xbb, 0xbf, 0x61)};
  assert.deepEqual(argsOf(trace, {args: [0, 7]}, 0), [['t', '\ufeffa']]);
});

test('levels give the longest of any range', () => {
  const lengths = Array.from({length: 5000}, (_, i) => (i * 7919) % 1009);
  const levels = levelsOf(lengths, greater);
  for (let i = 0; i < 400; i++) {
    const begin = (i * 31) % 4000;
    const end = begin + 1 + ((i * 53) % 1000);
    assert.equal(
      lengths[levels.best(begin, end)],
      Math.max(...lengths.slice(begin, end)),
      `${begin} ${end}`,
    );
  }
});

test('a NaN stands for others only if there is nothing else', () => {
  const values = [NaN, 2, NaN, 7, ...Array(40).fill(NaN)];
  assert.equal(levelsOf(values, greater).best(0, 44), 3);
  assert.equal(levelsOf(values, less).best(0, 44), 1);
  assert.equal(Number.isNaN(values[levelsOf(values, less).best(4, 44)]), true);
});

test('searches find the same place', () => {
  const times = Float64Array.from({length: 1000}, (_, i) => Math.floor(i / 3) * 10);
  for (const value of [-1, 0, 5, 10, 3329, 3330, 9999]) {
    const first = times.findIndex((time) => time >= value);
    for (const guess of [0, 1, 500, 5000])
      assert.equal(
        gallop(times, value, 0, 1000, guess),
        first < 0 ? 1000 : first,
        `${value} ${guess}`,
      );
    const greater = times.findIndex((time) => time > value);
    assert.equal(after(times, value, 0, 1000), greater < 0 ? 1000 : greater);
  }
});

test('a row costs its pixels, and the longest slice stands for a pixel', () => {
  const slices = Array.from({length: 100000}, (_, i) => [
    i === 5000 ? 'long' : 'short',
    i * 10,
    i * 10 + (i === 5000 ? 9 : 1),
  ]);
  const trace = traceOf([slices]);
  const pixels = new Uint32Array(100);
  const view = {begin: 0, end: 1000000};
  const colors = [7, 9]; // short, long
  const painted = paintRow(
    pixels,
    0,
    100,
    trace,
    {begin: 0, end: slices.length},
    view,
    colors,
    30,
    assert.fail,
  );
  assert.ok(painted <= 100, `${painted} for 100 pixels`);
  assert.equal(pixels[5], 9);
  assert.equal(pixels.filter((pixel) => pixel === 7).length, 99);
});

test('wide slices keep their edges and get their names', () => {
  const trace = traceOf([
    [
      ['a', 0, 100],
      ['b', 100, 200],
    ],
  ]);
  const pixels = new Uint32Array(20);
  const wide = [];
  const row = {begin: 0, end: 2};
  paintRow(pixels, 0, 20, trace, row, {begin: 0, end: 200}, [1, 2], 5, (...slice) =>
    wide.push(slice),
  );
  assert.deepEqual([...pixels], [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
  assert.deepEqual(wide, [
    [0, 0, 10],
    [1, 10, 20],
  ]);
});

test('a long slice is painted though a short one begins in the same pixel', () => {
  const trace = traceOf([
    [
      ['short', 0, 1],
      ['short', 2, 3],
      ['long', 4, 80],
    ],
  ]);
  const pixels = new Uint32Array(10);
  const wide = [];
  const row = {begin: 0, end: 3};
  paintRow(pixels, 0, 10, trace, row, {begin: 0, end: 100}, [1, 2], 5, (...slice) =>
    wide.push(slice),
  );
  assert.deepEqual([...pixels], [2, 2, 2, 2, 2, 2, 2, 0, 0, 0]);
  assert.deepEqual(wide, [[2, 0, 8]]);
});

test('a slice that began before the window is painted', () => {
  const pixels = new Uint32Array(4);
  paintRow(pixels, 0, 4, NESTED(), {begin: 0, end: 2}, {begin: 40, end: 44}, [3], 30, () => {});
  assert.deepEqual([...pixels], [3, 3, 3, 3]);
});

test('counters survive what is no number', () => {
  assert.equal(heightOf(NaN, {low: 0, high: 1}), 0);
  const most = Number.MAX_VALUE;
  assert.equal(heightOf(Infinity, {low: -most, high: most}), 1);
  assert.equal(heightOf(0, {low: -most, high: most}), 0.5);
});

test('counters that differ in their category only have it in their names', () => {
  const counters = makeCounters({
    names: ['a', 'n', 'v', 'b'],
    counters: [[1, 1, 2, '0x0', 5, 0], [1, 1, 2, '0x0', 1, 3], [2, 1, 2, '0x0', 1, 3]],
  });
  assert.deepEqual(counters.map(({name, begin, end}) => [name, begin, end]),
    [['a · n · v', 0, 5], ['b · n · v', 5, 6], ['n · v', 6, 7]]);
});

test('samples of one pixel are one step', () => {
  const value = Float64Array.from({length: 1000}, (_, i) => i % 10);
  const trace = {
    samples: {
      time: value.map((_, i) => i),
      value,
      greatest: levelsOf([...value], greater),
      least: levelsOf([...value], less),
    },
  };
  const steps = [];
  eachPixel(trace, {begin: 0, end: 1000}, {begin: 100, end: 200}, 10, (...step) =>
    steps.push(step),
  );
  assert.ok(steps.length <= 12);
  assert.equal(steps[0][0], -1);
  assert.deepEqual(
    steps[2].slice(2, 4).map((sample) => value[sample]),
    [9, 0],
  );
});

test('sums by name are clipped to the range', () => {
  const trace = NESTED();
  const rows = byName(trace, trace.rows, {begin: 20, end: 210}).map((row) => ({
    ...row,
    name: trace.names[row.name],
  }));
  assert.deepEqual(rows, [
    {name: 'a', count: 2, total: 90, self: 60, min: 10, max: 80, mean: 45},
    {name: 'b', count: 2, total: 30, self: 20, min: 10, max: 20, mean: 15},
    {name: 'c', count: 1, total: 10, self: 10, min: 10, max: 10, mean: 10},
  ]);
});

test('the total of a name has what is inside of it once, and no slice without an end', () => {
  const trace = traceOf([
    [['f', 0, 100]],
    [['g', 10, 90, 0]],
    [
      ['f', 20, 40, 1],
      ['open', 50, 90, 1],
    ],
    [['g', 60, 70, 3]],
  ]);
  trace.slices.unfinished.add(3);
  const rows = byName(trace, trace.rows, {begin: 0, end: 100});
  assert.deepEqual(
    rows.map((row) => [trace.names[row.name], row.count, row.total, row.self, row.max, row.mean]),
    [
      ['f', 2, 100, 40, 100, 60],
      ['g', 2, 80, 30, 80, 45],
      ['open', 1, 0, 0, 0, 0],
    ],
  );
});

test('all slices without length at the begin and the end of a range count', () => {
  const trace = traceOf([
    [
      ['before', 0, 10],
      ['z', 10, 10],
      ['z', 10, 10],
      ['y', 20, 20],
      ['y', 20, 20],
    ],
  ]);
  const counts = byName(trace, trace.rows, {begin: 10, end: 20}).map(({name, count}) => [
    trace.names[name],
    count,
  ]);
  assert.deepEqual(counts, [
    ['z', 2],
    ['y', 2],
  ]);
});

test('equal stacks are one box', () => {
  const trace = NESTED();
  const root = stacks(trace, trace.rows, {begin: 0, end: 300});
  const [a] = root.children.values();
  assert.equal(root.total, 120);
  assert.deepEqual([a.total, a.count], [120, 2]);
  const [b] = a.children.values();
  assert.deepEqual([b.total, b.count, b.children.size], [40, 2, 1]);
});

// Async slices take the first row that is free: `kid` is above what is around it.
const ASYNC = () =>
  traceOf([
    [
      ['x', 0, 10],
      ['kid', 20, 30, 2],
    ],
    [['p', 5, 100]],
    [['early', 6, 9, 2]],
  ]);

test('a stack is inside of its parent, whatever their rows', () => {
  const trace = ASYNC();
  const root = stacks(trace, trace.rows, {begin: 0, end: 100});
  const boxes = (node) =>
    [...node.children.values()].map((box) => [trace.names[box.name], box.total, boxes(box)]);
  assert.equal(root.total, 105);
  assert.deepEqual(boxes(root), [
    ['x', 10, []],
    [
      'p',
      95,
      [
        ['kid', 10, []],
        ['early', 3, []],
      ],
    ],
  ]);
});

test('a stack whose parent is not in the range begins at the root', () => {
  const trace = traceOf([[['around', 0, 10]], [['at its end', 10, 10, 0]]]);
  const root = stacks(trace, trace.rows, {begin: 10, end: 20});
  assert.deepEqual(
    [...root.children.values()].map((box) => [trace.names[box.name], box.count]),
    [['at its end', 1]],
  );
});

test('stacks may be of any depth', () => {
  const depth = 100000; // async slices without length share a row
  const row = Array.from({length: depth}, (_, i) => ['z', 0, 0, i + 1 < depth ? i + 1 : -1]);
  const trace = traceOf([row]);
  let node = stacks(trace, trace.rows, {begin: 0, end: 1});
  for (let i = 0; i < depth; i++) [node] = node.children.values();
  assert.deepEqual([node.count, node.children.size], [1, 0]);
});

test('self time is without the slices directly inside', () => {
  const trace = NESTED();
  assert.equal(selfTime(trace, 0, trace.rows), 60);
  assert.equal(selfTime(trace, 2, trace.rows), 20);
  assert.equal(selfTime(trace, 4, trace.rows), 10);
});

test('self time is without what slices inside that overlap cover together', () => {
  const trace = traceOf([
    [
      ['a', 0, 100],
      ['a', 200, 210],
    ],
    [
      ['b', 10, 50, 0],
      ['b', 90, 95, 0],
    ],
    [['c', 20, 80, 0]],
  ]);
  const selfOf = (name, range) =>
    byName(trace, trace.rows, range).find((row) => trace.names[row.name] === name).self;
  assert.equal(selfTime(trace, 0, trace.rows), 25);
  assert.equal(selfOf('a', {begin: 0, end: 300}), 35);
  assert.equal(selfOf('a', {begin: 30, end: 92}), 10);
  assert.equal(selfOf('c', {begin: 30, end: 92}), 50);
});

test('a mean of a counter is weighted by time', () => {
  const trace = {samples: {time: [0, 90, 100], value: [1, 11, 5]}};
  const [row] = counterRows(trace, [{begin: 0, end: 3}], {begin: 0, end: 100});
  assert.deepEqual([row.first, row.last, row.min, row.max, row.mean], [1, 5, 1, 11, 2]);
});

const counterRow = (time, value, range) =>
  counterRows({samples: {time, value}}, [{begin: 0, end: time.length}], range)[0];

test('counters are summed without what is no number, and without overflow', () => {
  const range = {begin: 0, end: 100};
  const nan = counterRow([0, 50, 100], [1, NaN, 3], range);
  assert.deepEqual([nan.first, nan.last, nan.min, nan.max, nan.mean], [1, 3, 1, 3, 1]);
  const infinite = counterRow([0, 100], [1, Infinity], range);
  assert.deepEqual([infinite.min, infinite.max, infinite.mean], [1, Infinity, 1]);
  assert.equal(counterRow([0, 50, 100], [Infinity, 1, 2], range).mean, Infinity);
  assert.equal(counterRow([0, 50], [1e307, 1e307], range).mean, 1e307);
  const none = counterRow([0, 50], [NaN, NaN], range);
  assert.deepEqual([none.min, none.max, none.mean], [NaN, NaN, NaN]);
});

test('all samples at the begin of a range count, and the one before if there are none', () => {
  const time = [0, 10, 10, 10];
  const at = counterRow(time, [9, 1, 7, 3], {begin: 10, end: 20});
  assert.deepEqual([at.first, at.last, at.min, at.max, at.mean], [1, 3, 1, 7, 3]);
  const before = counterRow(time, [9, 1, 7, 3], {begin: 5, end: 8});
  assert.deepEqual([before.first, before.last, before.min, before.max], [9, 9, 9, 9]);
  assert.equal(before.mean, 9);
  const later = counterRow(time, [9, 1, 7, 3], {begin: 15, end: 20});
  assert.deepEqual([later.first, later.min, later.max], [3, 3, 3]);
  assert.equal(counterRow([10], [1], {begin: 0, end: 5}), undefined);
});

test('the pointer finds the longest slice in reach', () => {
  const trace = NESTED();
  assert.equal(sliceAt(trace, trace.rows[1], 45, 6), 2);
  assert.equal(sliceAt(trace, trace.rows[1], 45, 1), -1);
  assert.equal(sliceAt(trace, trace.rows[0], 50, 0), 0);
});

test('arrows go to the neighbours', () => {
  const trace = NESTED();
  assert.equal(neighbour(trace, 0, 'Right'), 1);
  assert.equal(neighbour(trace, 1, 'Right'), -1);
  assert.equal(neighbour(trace, 0, 'Down'), 2);
  assert.equal(neighbour(trace, 4, 'Up'), 2);
  assert.equal(neighbour(trace, 1, 'Down'), -1);
});

test('the first slice inside may be in any row', () => {
  assert.equal(neighbour(ASYNC(), 2, 'Down'), 3);
  assert.equal(neighbour(ASYNC(), 0, 'Down'), -1);
  const overlapping = traceOf([
    [['a', 0, 100]],
    [['beside', 0, 200]],
    [
      ['b', 20, 30, 0],
      ['c', 40, 50, 0],
    ],
  ]);
  assert.equal(neighbour(overlapping, 0, 'Down'), 2);
});

test('flows go to the next slice, and not into another chain', () => {
  const trace = NESTED();
  trace.flows = {
    count: 4,
    slice: Int32Array.of(0, 2, 4, 3),
    type: Uint8Array.of(8, 10, 8, 10),
    begins: Uint8Array.of(1, 0, 1, 0),
  };
  assert.equal(flowNeighbour(trace, 0, 1), 2);
  assert.equal(flowNeighbour(trace, 2, 1), -1);
  assert.equal(flowNeighbour(trace, 3, -1), 4);
});

test('a step in no slice is passed over, but no begin and no end', () => {
  const flows = {
    count: 7,
    slice: Int32Array.of(0, -1, -1, 2, -1, -1, 1),
    type: Uint8Array.of(8, 9, 9, 9, 10, 8, 10),
    begins: Uint8Array.of(1, 0, 0, 0, 0, 1, 0),
  };
  assert.deepEqual(chainsOf({flows}, 0), [[0, 3, 4]]);
  assert.deepEqual(chainsOf({flows}, 1), [[5, 6]]);
  assert.equal(flowNeighbour({flows}, 0, 1), 2);
  assert.equal(flowNeighbour({flows}, 2, -1), 0);
  assert.equal(flowNeighbour({flows}, 2, 1), -1);
  assert.equal(flowNeighbour({flows}, 1, -1), -1);
});

test('a long flow is followed to its end, and shown around the slice', () => {
  const count = 3000;
  const slice = Int32Array.from({length: count}, (_, i) => i);
  const begins = Uint8Array.from({length: count}, (_, i) => (i % 1500 === 0 ? 1 : 0));
  const trace = {flows: {count, slice, begins, type: new Uint8Array(count).fill(9)}};
  for (const at of [1, 1023, 1200, 1498, 2800]) {
    assert.equal(flowNeighbour(trace, at, 1), at + 1);
    assert.equal(flowNeighbour(trace, at, -1), at - 1);
    const [chain] = chainsOf(trace, at);
    assert.ok(chain.includes(at - 1) && chain.includes(at + 1));
    assert.ok(chain.length <= 200);
  }
  assert.equal(flowNeighbour(trace, 1499, 1), -1);
  assert.equal(flowNeighbour(trace, 1500, -1), -1);
});

test('a slice of many flows shows some of them', () => {
  const slice = Int32Array.from({length: 400}, (_, i) => i % 2);
  const type = new Uint8Array(400).fill(8);
  const trace = {flows: {count: 400, slice, type, begins: slice.map((at) => 1 - at)}};
  assert.equal(chainsOf(trace, 1).length, 64);
  assert.deepEqual(chainsOf(trace, 1)[1], [2, 3]);
});

test('a search goes round, in the order of time', () => {
  const trace = traceOf([
    [
      ['Work', 0, 10],
      ['work', 30, 40],
    ],
    [
      ['homework', 20, 25],
      ['rest', 50, 60],
    ],
  ]);
  const search = new Search(trace);
  search.find('WORK');
  assert.equal(search.hits.length, 3);
  assert.deepEqual(
    [1, 1, 1].map((way) => search.step(way, 15)),
    [2, 1, 0],
  );
  assert.equal(search.step(-1, 0), 1);
  search.find('nothing');
  assert.equal(search.step(1, 0), -1);
});

test('hits are counted without being sorted', () => {
  const trace = traceOf([[['late', 50, 60]], [['later', 20, 25]]]);
  const search = new Search(trace);
  search.find('lat');
  assert.deepEqual([...search.hits], [0, 1]);
  search.step(1, 0);
  assert.deepEqual([...search.hits], [1, 0]);
});

test('zoom keeps the time under the pointer, and everything stays in reach', () => {
  const view = zoom({begin: 0, end: 1000}, 250, 0.5, 1000);
  assert.deepEqual(view, {begin: 125, end: 625});
  assert.deepEqual(clamp({begin: -1e9, end: 1e9}, 1000), {begin: -100, end: 1100});
  assert.ok(pan({begin: 0, end: 100}, -100, 1000).begin >= -100);
  let small = {begin: 0, end: 1000};
  for (let i = 0; i < 1000; i++) small = zoom(small, 500, 0.5, 1000);
  assert.ok(small.end - small.begin >= 10);
  assert.ok(whole(0).end > whole(0).begin);
});

test('times are short and exact', () => {
  assert.equal(duration(0), '0 ns');
  assert.equal(duration(1234), '1.234 µs');
  assert.equal(duration(12345678), '12.35 ms');
  assert.equal(duration(3.6e12), '3600 s');
  assert.equal(exact(1234567890), '1.234 567 890 s');
  assert.equal(niceStep(30), 50);
  assert.equal(tick(34250000, 50000, 34900000), '34.25 ms');
  assert.equal(tick(0, 100, 900), '0 ns');
});

test('values are short, and none but 0 is 0', () => {
  const values = [0, 0.0004, 1 / 3, 1234.5, 12345678.5678, 1e-7, -1.2345678e-9, 1.5e300, 1e20];
  assert.deepEqual(
    values.map(numberText),
    [
      '0',
      '0.0004',
      '0.333333',
      '1,234.5',
      '12,345,678.568',
      '1e-7',
      '-1.23457e-9',
      '1.5e+300',
      '100,000,000,000,000,000,000',
    ],
  );
  assert.deepEqual([NaN, Infinity, -Infinity].map(numberText), ['NaN', 'Infinity', '-Infinity']);
});

test('text on every colour has a contrast of 4.5', () => {
  for (let i = 0; i < 3000; i++) {
    for (const dark of [false, true]) {
      const color = luminance(colorOf(`name ${i}`, dark));
      const text = textOn(colorOf(`name ${i}`, dark)) === '#ffffff' ? 1 : 0;
      const contrast = (Math.max(color, text) + 0.05) / (Math.min(color, text) + 0.05);
      assert.ok(contrast >= 4.5, `name ${i}: ${contrast}`);
    }
  }
});

// What traceOf makes, with all that the page reads of a trace.
function traceFile(file, rows, args, instantArgs) {
  const trace = traceOf(rows);
  const group = {name: 'p', tracks: [], counters: []};
  const track = {kind: 0, name: 't', group, rows: trace.rows.map(({begin, end}) => ({begin, end}))};
  const counter = {name: 'c', begin: 0, end: 2, group};
  const count = trace.slices.count;
  const values = Float64Array.of(count, -count);
  track.instants = {begin: 0, end: 1};
  trace.rows = track.rows.map((row, depth) => ({...row, track, depth}));
  trace.slices.category = trace.slices.name;
  trace.slices.args = new Uint32Array(count + 1);
  trace.slices.args[count] = args.length;
  return {
    ...trace,
    file,
    span: 300,
    notes: [`note of ${file}`],
    instants: {
      count: 1,
      time: Float64Array.of(7),
      name: Uint16Array.of(0),
      category: Uint16Array.of(0),
      args: Uint32Array.of(args.length, args.length + instantArgs.length),
    },
    samples: {
      count: 2,
      time: Float64Array.of(1, 2),
      value: values,
      greatest: levelsOf([...values], greater),
      least: levelsOf([...values], less),
    },
    flows: {
      count: 2,
      time: Float64Array.of(1, 2),
      slice: Int32Array.of(0, -1),
      type: Uint8Array.of(8, 10),
      begins: Uint8Array.of(1, 0),
    },
    args: Uint8Array.of(...args, ...instantArgs),
    tracks: [track],
    counters: [counter],
    groups: [group],
  };
}

// An argument of the first name: an int64.
const INT = (value) => [0, 3, value * 2];

function pair() {
  const old = traceFile('old.fxt', [[['a', 0, 100]], [['b', 10, 40, 0]]], INT(5), INT(6));
  const rows = [[['x', 0, 10], ['a', 20, 170]], [['b', 30, 60, 1], ['c', 70, 80, 1]]];
  return joinTraces(old, traceFile('new.fxt', rows, INT(7), INT(8)));
}

test('a page of two has all of both', () => {
  const trace = pair();
  const {slices, instants, samples, flows} = trace;
  assert.deepEqual(trace.names, ['a', 'b', 'x', 'c']);
  assert.deepEqual(
    Array.from(slices.name, (name) => trace.names[name]).join(' '),
    'a b x a b c',
  );
  assert.deepEqual([...slices.parent], [-1, 0, -1, -1, 3, 3]);
  assert.equal(slices.longest.best(0, 2), 0);
  assert.equal(slices.longest.best(2, 4), 3);
  assert.deepEqual(argsOf(trace, slices, 1), [['a', '5']]);
  assert.deepEqual(argsOf(trace, slices, 5), [['x', '7']]);
  assert.deepEqual(argsOf(trace, instants, 0), [['a', '6']]);
  assert.deepEqual(argsOf(trace, instants, 1), [['x', '8']]);
  assert.deepEqual([...samples.value], [2, -2, 4, -4]);
  assert.equal(samples.least.best(2, 4), 3);
  assert.deepEqual([...flows.slice], [0, -1, 2, -1]);
  assert.deepEqual(
    trace.groups.map(({name}) => name),
    ['old: p', 'new: p'],
  );
  assert.deepEqual(trace.notes, ['old: note of old.fxt', 'new: note of new.fxt']);
  assert.deepEqual(
    trace.rows.map(({begin, end, track}) => [begin, end, track.group.side]),
    [[0, 1, 0], [1, 2, 0], [2, 4, 1], [4, 6, 1]],
  );
  assert.deepEqual([trace.counters[1].begin, trace.counters[1].end], [2, 4]);
  assert.deepEqual(trace.tracks[1].instants, {begin: 1, end: 2});
});

test('changes are those of each name and of each stack', () => {
  const trace = pair();
  const sides = sidesOf(trace, trace.rows);
  const range = {begin: 0, end: 300};
  const totals = changes(trace, sides, range).map(({name, old, new: young}) => [
    trace.names[name],
    old?.total,
    young?.total,
  ]);
  assert.deepEqual(totals, [
    ['a', 100, 150],
    ['b', 30, 30],
    ['x', undefined, 10],
    ['c', undefined, 10],
  ]);
  const root = stackChanges(trace, sides, range);
  const a = root.children.get(0);
  assert.deepEqual([root.old.total, root.new.total], [100, 160]);
  assert.deepEqual([a.old.total, a.new.total], [100, 150]);
  assert.deepEqual(
    [...a.children.values()].map(({total, old, new: young}) => [total, changeText(old, young)]),
    [
      [60, '0.0 %'],
      [10, 'new'],
    ],
  );
});

test('a range on tracks of one trace is compared with all of the other', () => {
  const trace = pair();
  const [old, young] = sidesOf(trace, [trace.rows[1]]);
  assert.deepEqual(old, [trace.rows[1]]);
  assert.deepEqual(young, trace.rows.slice(2));
});

test('a change is large if it is more than the spread', () => {
  const file = (length) => {
    const slice = (_, i) => ['a', i * 1000, i * 1000 + length + (i % 3)];
    return traceFile('a', [Array.from({length: 20}, slice)], [], []);
  };
  const of = (a, b) => {
    const trace = joinTraces(file(a), file(b));
    const [change] = changes(trace, sidesOf(trace, trace.rows), {begin: 0, end: 1e6});
    return [change.isTotalLarge, change.isMedianLarge];
  };
  assert.deepEqual(of(100, 101), [false, false]);
  assert.deepEqual(of(100, 130), [false, true]);
  assert.deepEqual(of(100, 400), [true, true]);
});

test('what changed is read on red and on green', () => {
  for (const dark of [false, true]) {
    const [green, grey, red] = [-1, 0, 1].map((share) => changeColor(share, dark));
    assert(red[0] > red[1] && green[1] > green[0] && Math.max(...grey) - Math.min(...grey) < 20);
    for (const rgb of [green, grey, red]) {
      const [a, b] = [luminance(rgb), textOn(rgb) === '#000000' ? 0 : 1].sort((x, y) => y - x);
      assert((a + 0.05) / (b + 0.05) >= 4.5, `${rgb}`);
    }
  }
});
