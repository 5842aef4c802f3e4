// The window of time: {begin, end} in nanoseconds. No state; each function returns a new window.

const LEAST = 10; // ns in view

// Keeps a window inside of the trace, with a margin, and not smaller than LEAST.
export function clamp({begin, end}, span) {
  const whole = Math.max(span, LEAST);
  const margin = whole * 0.1;
  const size = Math.min(Math.max(end - begin, LEAST), whole + 2 * margin);
  const middle = (begin + end) / 2;
  const from = Math.min(Math.max(middle - size / 2, -margin), whole + margin - size);
  return {begin: from, end: from + size};
}

export function whole(span) {
  const size = Math.max(span, LEAST);
  return {begin: -size * 0.01, end: size * 1.01};
}

// factor < 1 zooms in; `time` stays where it is.
export function zoom({begin, end}, time, factor, span) {
  const size = (end - begin) * factor;
  if (size < LEAST && factor < 1) return {begin, end};
  const share = (time - begin) / (end - begin);
  return clamp({begin: time - size * share, end: time + size * (1 - share)}, span);
}

// Moves by a share of the window.
export function pan({begin, end}, share, span) {
  const by = (end - begin) * share;
  return clamp({begin: begin + by, end: end + by}, span);
}

// A window around a range, with a margin.
export function around(begin, end, span) {
  const margin = Math.max((end - begin) * 0.1, LEAST);
  return clamp({begin: begin - margin, end: end + margin}, span);
}
