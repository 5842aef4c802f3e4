// Flows: chains of points, each of which may belong to a slice.

// The chains that touch a slice, as lists of points in the order of time.
export function chainsOf(trace, slice, limit = 64) {
  const {count, slice: slices, begins} = trace.flows;
  const chains = [];
  for (
    let i = slices.indexOf(slice);
    i >= 0 && chains.length < limit;
    i = slices.indexOf(slice, i)
  ) {
    let begin = i;
    let end = i + 1;
    while (begin > 0 && !begins[begin]) begin--;
    while (end < count && !begins[end]) end++;
    const points = [];
    for (let at = begin; at < end && points.length < 1024; at++) points.push(at);
    chains.push(points);
    i = end;
    if (i >= count) break;
  }
  return chains;
}

// The slice before (-1) or after (1) this one in its first flow that has one; -1 if none has.
export function flowNeighbour(trace, slice, direction) {
  for (const chain of chainsOf(trace, slice)) {
    const slices = chain.map((point) => trace.flows.slice[point]);
    const at = direction > 0 ? slices.lastIndexOf(slice) : slices.indexOf(slice);
    const next = slices[at + direction];
    if (next >= 0) return next;
  }
  return -1;
}
