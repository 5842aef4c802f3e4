// What is under the pointer, and what is beside what is selected.
import {after, gallop} from './levels.js';
import {blockAt, laneAt} from './layout.js';
import {rowOf} from './data.js';

// The slice of a row at a time; the longest within `reach` ns if there are some. -1: none.
export function sliceAt(trace, row, time, reach) {
  const {time: times, duration, longest} = trace.slices;
  const end = after(times, time + reach, row.begin, row.end);
  let begin = Math.max(row.begin, gallop(times, time - reach, row.begin, row.end) - 1);
  while (begin < end && times[begin] + duration[begin] < time - reach) begin++;
  return begin < end ? longest.best(begin, end) : -1;
}

export function instantAt(trace, lane, time, reach) {
  const {time: times} = trace.instants;
  const first = gallop(times, time - reach, lane.begin, lane.end);
  return first < lane.end && times[first] <= time + reach ? first : -1;
}

export function sampleAt(trace, counter, time) {
  const i = after(trace.samples.time, time, counter.begin, counter.end) - 1;
  return i >= counter.begin ? i : -1;
}

// {kind, item, block} at a place of the tracks, y from the top of the first; null if there is
// nothing.
export function pick(trace, layout, y, time, reach) {
  const block = layout.blocks[blockAt(layout, y)];
  const lane = block && laneAt(block, y);
  if (!lane) return null;
  const at = {
    slices: () => sliceAt(trace, lane, time, reach),
    instants: () => instantAt(trace, lane, time, reach * 2),
    counter: () => sampleAt(trace, lane.counter, time),
  }[lane.kind]();
  return at < 0
    ? null
    : {kind: {slices: 'slice', instants: 'instant', counter: 'sample'}[lane.kind], item: at, block};
}

// The first slice directly inside this one, in whatever row of its track. -1: there is none.
function firstInside(trace, slice, rows) {
  const {time, duration, parent} = trace.slices;
  let found = -1;
  for (const row of rows) {
    const end = found < 0 ? time[slice] + duration[slice] : time[found];
    let i = gallop(time, time[slice], row.begin, row.end);
    while (i < row.end && time[i] <= end && parent[i] !== slice) i++;
    if (i < row.end && parent[i] === slice && (found < 0 || time[i] < time[found])) found = i;
  }
  return found;
}

// The neighbour of a slice: Left and Right in its row, Up to the one around it, Down to the first
// inside it. -1: there is none.
export function neighbour(trace, slice, direction) {
  const row = rowOf(trace, slice);
  if (direction === 'Left') return slice > row.begin ? slice - 1 : -1;
  if (direction === 'Right') return slice + 1 < row.end ? slice + 1 : -1;
  if (direction === 'Up') return trace.slices.parent[slice];
  return firstInside(trace, slice, row.track.rows);
}
