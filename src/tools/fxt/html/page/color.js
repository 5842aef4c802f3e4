// Colours by name: the same name has the same colour everywhere.

const HUES = [210, 28, 145, 275, 190, 350, 60, 235, 120, 310, 15, 165];

export function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return (value ^ (value >>> 15)) >>> 0;
}

// h in degrees, s and l from 0 to 1; gives r, g, b from 0 to 255.
function fromHsl(h, s, l) {
  const part = (n) => {
    const k = (n + h / 30) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

// WCAG's relative luminance.
export function luminance(rgb) {
  const [r, g, b] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function colorOf(text, dark) {
  const value = hash(text);
  const hue = HUES[value % HUES.length] + ((value >>> 8) % 13) - 6;
  const tone = (value >>> 16) % 3;
  const l = dark ? 0.33 + 0.05 * tone : 0.7 + 0.05 * tone;
  return fromHsl((hue + 360) % 360, dark ? 0.42 : 0.58, l);
}

// A number for an ImageData of 32-bit pixels.
export function pixel([r, g, b], alpha = 255) {
  return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

export function css([r, g, b]) {
  return `rgb(${r}, ${g}, ${b})`;
}

// Red for 1, green for -1, grey for 0, and what is between them.
export function changeColor(share, dark) {
  const [grey, green, red] = dark
    ? [[58, 63, 72], [28, 112, 62], [158, 48, 42]]
    : [[222, 225, 230], [92, 186, 118], [242, 122, 110]];
  const end = share < 0 ? green : red;
  return grey.map((from, i) => Math.round(from + (end[i] - from) * Math.abs(share)));
}

// Whichever of black and white is read better on a colour.
export function textOn(rgb) {
  return luminance(rgb) > 0.179 ? '#000000' : '#ffffff';
}

// One colour a name, made when the theme changes. `isHit` dims all other names.
export class Palette {
  constructor(names, dark, isHit = null) {
    this.dim = dark ? [58, 63, 72] : [222, 225, 230];
    this.rgb = names.map((name) => colorOf(name, dark));
    this.pixels = Uint32Array.from(this.rgb, (rgb, name) =>
      pixel(isHit && !isHit[name] ? this.dim : rgb),
    );
    this.text = this.rgb.map((rgb, name) =>
      isHit && !isHit[name] ? (dark ? '#aab2bf' : '#59626f') : textOn(rgb),
    );
  }
}
