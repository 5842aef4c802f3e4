// The trace of the page: columns of numbers, as columns.c packs them, and what tracks they make.
import {Cursor} from './cursor.js';
import {greater, less, Levels} from './levels.js';

export const THREAD = 0;
export const ASYNC = 1;
export const CPU = 2;

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// The bytes in the elements, which are removed as they are read.
export async function unpack(elements) {
  const queue = [...elements];
  const zipped = new ReadableStream({
    pull(controller) {
      const element = queue.shift();
      if (!element) return controller.close();
      controller.enqueue(fromBase64(element.textContent));
      element.remove();
    },
  });
  const plain = zipped.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

// Names fit in 16 bits in nearly every trace.
function nameColumn(header, count) {
  return header.names.length <= 65536 ? new Uint16Array(count) : new Uint32Array(count);
}

function readSlices(cursor, header) {
  const count = header.slices;
  const time = cursor.steps(new Float64Array(count));
  const duration = cursor.numbers(new Float64Array(count));
  const name = cursor.numbers(nameColumn(header, count));
  const category = cursor.numbers(nameColumn(header, count));
  const parent = cursor.steps(new Int32Array(count));
  for (let i = 0; i < count; i++) parent[i]--;
  const args = cursor.offsets(count, 0);
  const unfinished = new Set(cursor.steps(new Float64Array(header.unfinished)));
  const longest = new Levels(cursor, duration, greater);
  return {count, time, duration, name, category, parent, args, unfinished, longest};
}

function readInstants(cursor, header, args) {
  const count = header.instants;
  return {
    count,
    time: cursor.steps(new Float64Array(count)),
    name: cursor.numbers(nameColumn(header, count)),
    category: cursor.numbers(nameColumn(header, count)),
    args: cursor.offsets(count, args),
  };
}

function readSamples(cursor, header) {
  const count = header.samples;
  const time = cursor.steps(new Float64Array(count));
  const value = cursor.doubles(new Float64Array(count));
  return {
    count,
    time,
    value,
    greatest: new Levels(cursor, value, greater),
    least: new Levels(cursor, value, less),
  };
}

function readFlows(cursor, header) {
  const count = header.flows;
  const flows = {
    count,
    time: cursor.steps(new Float64Array(count)),
    slice: cursor.steps(new Int32Array(count)),
    type: cursor.numbers(new Uint8Array(count)),
    begins: cursor.numbers(new Uint8Array(count)),
  };
  for (let i = 0; i < count; i++) flows.slice[i]--;
  return flows;
}

// Tracks own neighbouring slices and instants, in the order of the header.
function makeTracks(header) {
  let slice = 0;
  let instant = 0;
  return header.tracks.map(([kind, number, name, instants, ...rows]) => {
    const track = {kind, number, name, rows: [], folded: false};
    track.instants = {begin: instant, end: instant + instants};
    instant += instants;
    for (const size of rows) {
      track.rows.push({begin: slice, end: slice + size});
      slice += size;
    }
    return track;
  });
}

// The category is in the names of those that differ in nothing else.
function tellApart(counters) {
  const seen = new Map();
  for (const counter of counters) {
    const key = `${counter.process} ${counter.name}`;
    seen.set(key, [...(seen.get(key) ?? []), counter]);
  }
  for (const same of seen.values())
    if (same.length > 1)
      for (const counter of same) counter.name = `${counter.category} · ${counter.name}`;
  return counters;
}

export function makeCounters(header) {
  let sample = 0;
  const counters = header.counters.map(([process, name, arg, id, samples, category]) => {
    const label = header.names[name];
    const part = header.names[arg];
    const counter = {
      process,
      category: header.names[category],
      begin: sample,
      end: sample + samples,
      name:
        (part && part !== label ? `${label} · ${part}` : label) + (id === '0x0' ? '' : ` ${id}`),
    };
    sample += samples;
    return counter;
  });
  return tellApart(counters);
}

// When a process has its first event.
function firstTime(trace, group) {
  const {slices, instants, samples} = trace;
  const times = group.tracks.flatMap((track) => [
    ...track.rows.map((row) => slices.time[row.begin]),
    track.instants.begin < track.instants.end ? instants.time[track.instants.begin] : Infinity,
  ]);
  const counted = group.counters.map((counter) =>
    counter.begin < counter.end ? samples.time[counter.begin] : Infinity,
  );
  return [...times, ...counted].reduce((a, b) => Math.min(a, b), Infinity);
}

// Processes with what they have, in the order of their first events; the CPUs come first.
function makeGroups(trace, header) {
  const groups = new Map();
  const cpus = {name: 'CPUs', tracks: [], counters: [], folded: false};
  const groupOf = (process) => {
    if (!groups.has(process)) {
      const name = process === 0 ? 'unknown process' : header.names[header.processes[process]];
      groups.set(process, {name, tracks: [], counters: [], folded: false});
    }
    return groups.get(process);
  };
  for (const track of trace.tracks) {
    const group = track.kind === CPU ? cpus : groupOf(track.number);
    if (track.kind === CPU) track.name = `CPU ${track.number}`;
    if (track.kind === ASYNC) track.name = 'async';
    track.group = group;
    group.tracks.push(track);
  }
  for (const counter of trace.counters) {
    counter.group = groupOf(counter.process);
    counter.group.counters.push(counter);
  }
  const processes = [...groups.values()]
    .map((group) => [firstTime(trace, group), group])
    .sort(([a], [b]) => a - b)
    .map(([, group]) => group);
  return cpus.tracks.length > 0 ? [cpus, ...processes] : processes;
}

// The track of each slice, by binary search over the rows.
function makeRowIndex(trace) {
  const rows = [];
  for (const track of trace.tracks)
    track.rows.forEach((row, depth) => rows.push({begin: row.begin, end: row.end, track, depth}));
  return rows;
}

export function readTrace(bytes) {
  const end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const cursor = new Cursor(bytes, end + 1);
  const trace = {
    file: header.file,
    first: BigInt(header.first),
    span: header.span,
    names: header.names,
    notes: header.notes,
  };
  trace.slices = readSlices(cursor, header);
  trace.instants = readInstants(cursor, header, trace.slices.args[trace.slices.count]);
  trace.samples = readSamples(cursor, header);
  trace.flows = readFlows(cursor, header);
  trace.args = cursor.take(header.args).slice(); // a copy: the bytes of the columns can go
  trace.tracks = makeTracks(header);
  trace.counters = makeCounters(header);
  trace.groups = makeGroups(trace, header);
  trace.rows = makeRowIndex(trace);
  return trace;
}

// The row that holds a slice: {track, depth, begin, end}.
export function rowOf(trace, slice) {
  let low = 0;
  let high = trace.rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (trace.rows[middle].begin <= slice) low = middle;
    else high = middle - 1;
  }
  return trace.rows[low];
}

// ---- arguments

const text = new TextDecoder('utf-8', {ignoreBOM: true}); // a mark is text, too

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

const readers = {
  0: () => 'null',
  1: (cursor) => String(cursor.signed()),
  2: (cursor) => String(cursor.big()),
  3: (cursor) => String(cursor.signed()),
  4: (cursor) => String(cursor.big()),
  5: (cursor) => String(cursor.double()),
  6: (cursor) => text.decode(cursor.take(cursor.number())),
  7: (cursor) => `0x${cursor.big().toString(16)}`,
  8: (cursor) => String(cursor.big()),
  9: (cursor) => String(cursor.big() !== 0n),
  10: (cursor) => {
    const size = cursor.number();
    const shown = Math.min(size, 64);
    return `${size} bytes: ${hex(cursor.take(shown))}${size > shown ? ' …' : ''}`;
  },
};

// [name, value] of each argument of items.args[item]. Those of the new trace of two have numbers of
// its own names.
export function argsOf(trace, items, item) {
  const names = item >= items.old ? trace.newNames : trace.names;
  const cursor = new Cursor(trace.args.subarray(items.args[item], items.args[item + 1]));
  const list = [];
  while (cursor.at < cursor.bytes.length) {
    const name = names[cursor.number()];
    const type = cursor.bytes[cursor.at++];
    list.push([name, readers[type] ? readers[type](cursor) : `<unknown type ${type}>`]);
  }
  return list;
}
