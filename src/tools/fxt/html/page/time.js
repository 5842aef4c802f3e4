// Times and numbers as text. All times are nanoseconds since the first of the trace.

const UNITS = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

function unitOf(ns) {
  return UNITS.find(([size]) => ns >= size) ?? UNITS[3];
}

// Four digits that count: "1.234 ms".
export function duration(ns) {
  const size = Math.abs(ns);
  const [unit, name] = unitOf(size);
  const value = ns / unit;
  if (unit === 1) return `${Math.round(ns)} ns`;
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.max(1, Math.abs(value)))));
  return `${value.toFixed(digits)} ${name}`;
}

// Of a trace, or of two.
export function spanText({span, sides}) {
  return sides ? sides.map((side) => duration(side.span)).join(' → ') : duration(span);
}

// All digits: "1.234 567 890 s".
export function exact(ns) {
  const seconds = Math.floor(ns / 1e9);
  const rest = String(Math.round(ns - seconds * 1e9)).padStart(9, '0');
  return `${seconds}.${rest.replace(/(\d{3})(?=\d)/g, '$1 ')} s`;
}

// A step of 1, 2 or 5 times a power of ten that is at least `least`.
export function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

// A mark of a ruler with that step, in the unit that fits `most`, its last mark.
export function tick(ns, step, most) {
  const [unit, name] = unitOf(most);
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  return `${(ns / unit).toFixed(digits)} ${name}`;
}

export function count(number) {
  return number.toLocaleString('en');
}

// A value: six digits that count, or three after the point if those are more.
export function numberText(value) {
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-6 || !(size < 1e21))) return String(Number(value.toPrecision(6)));
  return value.toLocaleString('en', {
    maximumFractionDigits: 3,
    maximumSignificantDigits: 6,
    roundingPriority: 'morePrecision',
  });
}
