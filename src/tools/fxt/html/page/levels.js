// Levels of detail: which item stands for a range of neighbours. The converter compares; here its
// answers are only looked up.

const GROUP = 16;

// Which of two values wins; NaN loses.
export const greater = (a, b) => b > a || a !== a;
export const less = (a, b) => b < a || a !== a;

export class Levels {
  // Reads the answers for `values`, which `wins` orders. A level has for each group the item that
  // stands for it, and its value: neighbours in memory, because a frame looks at many.
  constructor(cursor, values, wins) {
    this.values = values;
    this.wins = wins;
    this.levels = [];
    for (let below = values.length; below > 1;) {
      const under = this.levels.at(-1);
      below = Math.ceil(below / GROUP);
      const level = {items: new Uint32Array(below), values: new Float64Array(below)};
      for (let group = 0; group < below; group++) {
        const at = group * GROUP + cursor.number();
        level.items[group] = under ? under.items[at] : at;
        level.values[group] = values[level.items[group]];
      }
      this.levels.push(level);
    }
  }

  // The item that stands for those from begin to end - 1.
  best(begin, end) {
    const {values, wins, levels} = this;
    let best = begin;
    let value = values[begin];
    for (let at = begin; at < end;) {
      let level = -1;
      let size = 1;
      while (at % (size * GROUP) === 0 && at + size * GROUP <= end) {
        level++;
        size *= GROUP;
      }
      const here = level < 0 ? values[at] : levels[level].values[at / size];
      if (wins(value, here)) {
        value = here;
        best = level < 0 ? at : levels[level].items[at / size];
      }
      at += size;
    }
    return best;
  }
}

// The first place from begin to end - 1 whose number is greater than `value`, else end.
export function after(array, value, begin, end) {
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if (array[middle] <= value) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

// The same for "at least". Looks around begin + guess first, which is fast if the answer is near.
export function gallop(array, value, begin, end, guess = 0) {
  let low = begin;
  let at = Math.min(begin + guess, end - 1);
  let step = 1;
  if (at > begin && array[at] >= value) {
    while (at - step > begin && array[at - step] >= value) {
      at -= step;
      step *= 2;
    }
    end = at;
    low = Math.max(begin, at - step);
  } else {
    low = Math.max(begin, at);
    while (low + step < end && array[low + step] < value) {
      low += step;
      step *= 2;
    }
    end = Math.min(end, low + step);
  }
  while (low < end) {
    const middle = (low + end) >>> 1;
    if (array[middle] < value) low = middle + 1;
    else end = middle;
  }
  return low;
}
