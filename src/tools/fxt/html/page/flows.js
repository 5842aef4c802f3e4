// Flows: chains of points, each of which may belong to a slice.

const CHAINS_MAX = 64;
const POINTS_MAX = 200; // of a chain
const STEP = 9; // the type of its events

// A step that lies in no slice is passed over [FLW-03].
function isPassed({slice, type}, point) {
  return slice[point] < 0 && type[point] === STEP;
}

// Each chain that touches a slice: from begin to end - 1; `first` is the first point of the slice.
function* chainsAt({count, slice: slices, begins}, slice) {
  let end = 0;
  for (let first = slices.indexOf(slice); first >= 0; first = slices.indexOf(slice, end)) {
    let begin = first;
    end = first + 1;
    while (begin > 0 && !begins[begin]) begin--;
    while (end < count && !begins[end]) end++;
    yield {begin, end, first};
  }
}

// What is shown of the chains that touch a slice, as lists of points in the order of time: those
// around the slice.
export function chainsOf(trace, slice) {
  const chains = [];
  for (const {begin, end, first} of chainsAt(trace.flows, slice)) {
    const from = Math.max(begin, first - POINTS_MAX / 2);
    const length = Math.min(end - from, POINTS_MAX);
    const points = Array.from({length}, (_, i) => from + i);
    chains.push(points.filter((point) => !isPassed(trace.flows, point)));
    if (chains.length === CHAINS_MAX) break;
  }
  return chains;
}

// The slice before (-1) or after (1) this one in its first flow that has one; -1 if none has.
export function flowNeighbour(trace, slice, direction) {
  const {slice: slices} = trace.flows;
  for (const {begin, end, first} of chainsAt(trace.flows, slice)) {
    let at = direction > 0 ? slices.lastIndexOf(slice, end - 1) + 1 : first - 1;
    while (at >= begin && at < end && isPassed(trace.flows, at)) at += direction;
    if (at >= begin && at < end && slices[at] >= 0) return slices[at];
  }
  return -1;
}
