// What colours are to eyes: contrast, difference, and the three kinds of colour blindness. Only tests reckon with it;
// no page may load it. sRGB with D65 throughout.

/** Red, green and blue of sRGB, each 0 to 1, gamma encoded. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** CIELAB under D65. */
export type Lab = readonly [lightness: number, a: number, b: number];

type Matrix = readonly [Rgb, Rgb, Rgb];

/** The colour that `#rrggbb` names. Throws for anything else. */
export function rgbOf(hex: string): Rgb {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (found === null) throw new Error(`no colour such as #c11e51: ${hex}`);
  const [red = 0, green = 0, blue = 0] = found.slice(1).map((part) => parseInt(part, 16) / 255);
  return [red, green, blue];
}

/** `share` of `over` on the rest of `under`, as browsers lay one over the other. */
export function mixed(over: Rgb, under: Rgb, share: number): Rgb {
  const at = (channel: 0 | 1 | 2): number => over[channel] * share + under[channel] * (1 - share);
  return [at(0), at(1), at(2)];
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encoded(value: number): number {
  const held = Math.min(1, Math.max(0, value));
  return held <= 0.0031308 ? held * 12.92 : 1.055 * held ** (1 / 2.4) - 0.055;
}

function toLinear([red, green, blue]: Rgb): Rgb {
  return [linear(red), linear(green), linear(blue)];
}

function times(matrix: Matrix, [x, y, z]: Rgb): Rgb {
  const row = ([a, b, c]: Rgb): number => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

/** Relative luminance as WCAG 2 has it, 0 to 1. */
export function luminance(colour: Rgb): number {
  const [red, green, blue] = toLinear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast as WCAG 2 has it, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Rgb = [0.95047, 1, 1.08883];

/** The colour in CIELAB. */
export function labOf(colour: Rgb): Lab {
  const xyz = times(TO_XYZ, toLinear(colour));
  const f = (channel: 0 | 1 | 2): number => {
    const t = xyz[channel] / WHITE[channel];
    return t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116;
  };
  const [x, y, z] = [f(0), f(1), f(2)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const DEGREE = Math.PI / 180;

/** CIEDE2000 of two colours (Sharma, Wu and Dalal 2005, with all weights 1). */
export function difference(one: Lab, other: Lab): number {
  const mean = (Math.hypot(one[1], one[2]) + Math.hypot(other[1], other[2])) / 2;
  const stretch = 1 + 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const [first, second] = [polar(one, stretch), polar(other, stretch)];
  const isGrey = first.chroma * second.chroma === 0;
  const turn = isGrey ? 0 : ((((second.hue - first.hue + 180) % 360) + 360) % 360) - 180;
  const hue = meanHue(first.hue, second.hue, isGrey);
  const [lightness, chroma] = [(one[0] + other[0]) / 2, (first.chroma + second.chroma) / 2];
  const tone = toneOf(hue);
  const away = (lightness - 50) ** 2;
  const dL = (other[0] - one[0]) / (1 + (0.015 * away) / Math.sqrt(20 + away));
  const dC = (second.chroma - first.chroma) / (1 + 0.045 * chroma);
  const bow = 2 * Math.sqrt(first.chroma * second.chroma) * Math.sin((turn / 2) * DEGREE);
  const dH = bow / (1 + 0.015 * chroma * tone);
  const spin = 60 * Math.exp(-(((hue - 275) / 25) ** 2));
  const rotation = -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(spin * DEGREE);
  return Math.sqrt(dL ** 2 + dC ** 2 + dH ** 2 + rotation * dC * dH);
}

function polar([, a, b]: Lab, stretch: number): { chroma: number; hue: number } {
  const x = a * stretch;
  return { chroma: Math.hypot(x, b), hue: x === 0 && b === 0 ? 0 : (Math.atan2(b, x) / DEGREE + 360) % 360 };
}

function meanHue(one: number, other: number, isGrey: boolean): number {
  if (isGrey) return one + other;
  if (Math.abs(one - other) <= 180) return (one + other) / 2;
  return one + other < 360 ? (one + other + 360) / 2 : (one + other - 360) / 2;
}

function toneOf(hue: number): number {
  const cos = (degrees: number): number => Math.cos(degrees * DEGREE);
  return 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63);
}

/** How an eye sees a colour. */
export type Vision = (colour: Rgb) => Rgb;

function seenBy(matrix: Matrix): Vision {
  return (colour) => {
    const [red, green, blue] = times(matrix, toLinear(colour));
    return [encoded(red), encoded(green), encoded(blue)];
  };
}

/** Brettel, Viénot and Mollon 1997 for tritanopia: one of two planes, by the side of the neutral axis. */
const TRITAN_SIDE: Rgb = [0.03901, -0.02788, -0.01113];
const TRITAN_NEAR = seenBy([
  [1.01277, 0.13548, -0.14826],
  [-0.01243, 0.86812, 0.14431],
  [0.07589, 0.805, 0.11911],
]);
const TRITAN_FAR = seenBy([
  [0.93678, 0.18979, -0.12657],
  [0.06154, 0.81526, 0.1232],
  [-0.37562, 1.12767, 0.24796],
]);

/**
 * All eyes that the page is tested with: the common ones, the three deficiencies after Machado, Oliveira and Fernandes
 * 2009 at severity 1.0, and the older models, which are thought the better ones for their kind: Viénot, Brettel and
 * Mollon 1999 for protanopia and deuteranopia, Brettel 1997 for tritanopia.
 */
export const VISIONS: Readonly<Record<string, Vision>> = {
  'common vision': (colour) => colour,
  'protan vision (Machado)': seenBy([
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ]),
  'deutan vision (Machado)': seenBy([
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ]),
  'tritan vision (Machado)': seenBy([
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ]),
  'protan vision (Viénot)': seenBy([
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ]),
  'deutan vision (Viénot)': seenBy([
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ]),
  'tritan vision (Brettel)': (colour) => {
    const [red, green, blue] = toLinear(colour);
    const side = TRITAN_SIDE[0] * red + TRITAN_SIDE[1] * green + TRITAN_SIDE[2] * blue;
    return side >= 0 ? TRITAN_NEAR(colour) : TRITAN_FAR(colour);
  },
};
