// Slices and samples to pixels. What a frame costs grows with its width, not with the trace: slices
// that share a pixel are passed over in one step, and the longest of them stands for all. Slices of
// a row do not overlap: only the last of a pixel can reach beyond it.
import {after, gallop} from './levels.js';

const GAP_FROM = 4; // slices of so many pixels leave one to the next
const FADE = 40; // pixels in which an unfinished slice fades out

function fade(pixels, from, to) {
  for (let x = Math.max(from, to - FADE); x < to; x++)
    pixels[x] = ((pixels[x] & 0xffffff) | (Math.round((255 * (to - x)) / FADE) << 24)) >>> 0;
}

// Paints one row of slices, row.begin to row.end - 1, as one line of pixels[at … at + width - 1].
// Calls wide(slice, x0, x1) for those of at least `wideFrom` pixels. Returns how many were painted.
export function paintRow(pixels, at, width, trace, row, view, colors, wideFrom, wide) {
  const {time, duration, name, longest, unfinished} = trace.slices;
  const scale = width / (view.end - view.begin);
  const xOf = (ns) => Math.min(width, Math.max(0, Math.floor((ns - view.begin) * scale)));
  let painted = 0;
  let shared = 0; // slices of the pixel before
  let i = Math.max(row.begin, after(time, view.begin, row.begin, row.end) - 1);
  if (i < row.end && time[i] + duration[i] < view.begin) i++;
  while (i < row.end && time[i] < view.end) {
    const x0 = xOf(time[i]);
    const x1 = xOf(time[i] + duration[i]);
    painted++;
    if (x1 - x0 < 2) {
      const next = gallop(time, view.begin + (x0 + 1) / scale, i, row.end, shared);
      let end = Math.max(i + 1, next);
      if (end > i + 1 && xOf(time[end - 1] + duration[end - 1]) - x0 >= 2) end--; // goes on alone
      shared = end - i;
      if (x0 < width) pixels[at + x0] = colors[name[longest.best(i, end)]];
      i = end;
      continue;
    }
    const gap = x1 - x0 >= GAP_FROM && x1 < width ? 1 : 0;
    pixels.fill(colors[name[i]], at + x0, at + x1 - gap);
    if (unfinished.has(i)) fade(pixels, at + x0, at + x1);
    if (x1 - x0 >= wideFrom) wide(i, x0, x1);
    i++;
  }
  return painted;
}

// The extremes of a counter, with 0 between them, as finite numbers.
export function rangeOf(trace, counter) {
  const {value, greatest, least} = trace.samples;
  const finite = (number) =>
    Number.isNaN(number) ? 0 : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
  if (counter.begin === counter.end) return {low: 0, high: 1};
  const low = Math.min(0, finite(value[least.best(counter.begin, counter.end)]));
  const high = Math.max(0, finite(value[greatest.best(counter.begin, counter.end)]));
  return {low, high: high > low ? high : low + 1};
}

// From 0 (low) to 1 (high), without overflow.
export function heightOf(value, {low, high}) {
  if (Number.isNaN(value)) return 0;
  return Math.max(0, Math.min(1, (value / 2 - low / 2) / (high / 2 - low / 2)));
}

// Calls step(x, first, greatest, least, last) for each pixel with samples, from left to right,
// where the values are samples; x is -1 for the one before the window.
export function eachPixel(trace, counter, view, width, step) {
  const {time, greatest, least} = trace.samples;
  const scale = width / (view.end - view.begin);
  let i = after(time, view.begin, counter.begin, counter.end);
  if (i > counter.begin) step(-1, i - 1, i - 1, i - 1, i - 1);
  while (i < counter.end && time[i] <= view.end) {
    const x = Math.floor((time[i] - view.begin) * scale);
    const end = Math.max(i + 1, gallop(time, view.begin + (x + 1) / scale, i, counter.end));
    step(x, i, greatest.best(i, end), least.best(i, end), end - 1);
    i = end;
  }
}

// Instants of a lane, at most one each `apart` pixels: calls mark(instant, x).
export function eachInstant(trace, lane, view, width, apart, mark) {
  const {time} = trace.instants;
  const scale = width / (view.end - view.begin);
  let i = gallop(time, view.begin, lane.begin, lane.end);
  while (i < lane.end && time[i] <= view.end) {
    const x = (time[i] - view.begin) * scale;
    mark(i, x);
    i = Math.max(i + 1, gallop(time, view.begin + (x + apart) / scale, i, lane.end));
  }
}
