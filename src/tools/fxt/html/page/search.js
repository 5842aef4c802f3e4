// Search: slices whose name contains a text. Their order is that of time from the first step on: a
// sort at each letter would make typing slow.

export class Search {
  constructor(trace) {
    this.trace = trace;
    this.clear();
  }

  clear() {
    this.query = '';
    this.isHit = null;
    this.hits = [];
    this.at = -1;
  }

  // Case does not matter.
  find(query) {
    this.clear();
    this.query = query;
    if (query === '') return;
    const {names, slices} = this.trace;
    const wanted = query.toLowerCase();
    const isHit = (this.isHit = Uint8Array.from(names, (name) =>
      name.toLowerCase().includes(wanted),
    ));
    let count = 0;
    for (let i = 0; i < slices.count; i++) count += isHit[slices.name[i]];
    this.hits = new Uint32Array(count);
    for (let i = 0, to = 0; i < slices.count; i++) if (isHit[slices.name[i]]) this.hits[to++] = i;
  }

  // The next (1) or previous (-1) hit; the first one is at `time` or later. -1: there is none.
  step(direction, time) {
    const {hits} = this;
    if (hits.length === 0) return -1;
    if (this.at < 0) {
      const times = this.trace.slices.time;
      hits.sort((a, b) => times[a] - times[b] || a - b);
      this.at = hits.findIndex((slice) => times[slice] >= time);
      if (this.at < 0) this.at = 0;
      if (direction < 0) this.at = (this.at + hits.length - 1) % hits.length;
    } else {
      this.at = (this.at + direction + hits.length) % hits.length;
    }
    return hits[this.at];
  }
}
