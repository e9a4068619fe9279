import { describe, expect, it } from 'vitest';
import { type Lab, type Rgb, VISIONS, contrast, difference, labOf, luminance, mixed, rgbOf } from './colour';

const DRAWINGS = import.meta.glob<string>(['../parts/{Gems,Disk}.svelte', '../styles/tokens.css'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const TOKENS = DRAWINGS['../styles/tokens.css'] ?? '';
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const SPECTRA = ['ruby', 'sapphire', 'emerald', 'amber', 'violet'];
/** The paints of a gem, from the top of a disk down. */
const PAINTS = ['-lit', '', '-deep'];

/** What a token stands for in a theme, as it is written. */
function written(name: string, theme: Theme): string {
  const value = new RegExp(`^\\s*--${name}:\\s*(.+?);`, 'm').exec(TOKENS)?.[1];
  if (value === undefined) throw new Error(`tokens.css has no --${name}`);
  const both = /^light-dark\((rgb\(.+?\)|#\w+),\s*(rgb\(.+?\)|#\w+)\)$/.exec(value);
  return (both === null ? value : both[theme === 'light' ? 1 : 2]) ?? value;
}

/** The colour of a token; what is not opaque lies over `under`. */
function token(name: string, theme: Theme = 'dark', under?: Rgb): Rgb {
  const text = written(name, theme);
  const parts = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)%\)$/.exec(text);
  if (parts === null) return rgbOf(text);
  if (under === undefined) throw new Error(`--${name} is not opaque`);
  const [red = 0, green = 0, blue = 0, share = 0] = parts.slice(1).map(Number);
  return mixed([red / 255, green / 255, blue / 255], under, share / 100);
}

function pairs<T>(of: readonly T[]): [T, T][] {
  return of.flatMap((one, index) => of.slice(index + 1).map((other): [T, T] => [one, other]));
}

function paintsOf(spectrum: string): string[] {
  return PAINTS.map((paint) => `${spectrum}${paint}`);
}

describe('the reckoning', () => {
  // From the table of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", 2005: those that catch what goes
  // wrong most often: the mean hue, the sign of the turn, the rotation, greys and dark colours.
  it.each<[Lab, Lab, number]>([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615],
    [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, -1, 2], [50, 0, 0], 2.3669],
    [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
    [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
    [[50, -0.001, 2.49], [50, 0.0009, -2.49], 4.8045],
    [[50, -0.001, 2.49], [50, 0.0011, -2.49], 4.7461],
    [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[50, 2.5, 0], [61, -5, 29], 22.8977],
    [[50, 2.5, 0], [56, -27, -3], 31.903],
    [[50, 2.5, 0], [58, 24, 15], 19.4535],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
    [[36.4612, 47.858, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146],
    [[90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381],
    [[6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ])('%j and %j differ as published', (one, other, published) => {
    expect(difference(one, other)).toBeCloseTo(published, 4);
    expect(difference(other, one)).toBeCloseTo(published, 4);
  });

  it('knows sRGB: its primaries in CIELAB, and the contrast of black and white', () => {
    const [lightness, a, b] = labOf(rgbOf('#ff0000'));
    expect([lightness, a, b].map((value) => Math.round(value * 10) / 10)).toEqual([53.2, 80.1, 67.2]);
    expect(contrast(rgbOf('#000000'), rgbOf('#ffffff'))).toBeCloseTo(21, 6);
    expect(luminance(rgbOf('#808080'))).toBeCloseTo(0.2159, 4);
  });

  it.each(Object.entries(VISIONS))('leaves white and grey as they are to %s', (_, vision) => {
    for (const grey of ['#ffffff', '#808080']) {
      expect(difference(labOf(vision(rgbOf(grey))), labOf(rgbOf(grey)))).toBeLessThan(0.5);
    }
  });

  it.each([
    ['protan vision (Machado)', '#c00000', '#404000'],
    ['deutan vision (Viénot)', '#b00000', '#5f6000'],
    ['tritan vision (Brettel)', '#00b8ff', '#00c0b0'],
  ])('%s takes for alike what common eyes tell apart', (name, one, other) => {
    const [first, second] = [rgbOf(one), rgbOf(other)];
    const seen = VISIONS[name] ?? ((colour: Rgb) => colour);
    expect(difference(labOf(seen(first)), labOf(seen(second)))).toBeLessThan(difference(labOf(first), labOf(second)) / 2);
  });
});

describe.each(Object.entries(VISIONS))('to %s', (_, vision) => {
  it.each(pairs(SPECTRA))('%s and %s are 20 apart, whichever paints meet', (one, other) => {
    for (const first of paintsOf(one)) {
      for (const second of paintsOf(other)) {
        const apart = difference(labOf(vision(token(first))), labOf(vision(token(second))));
        expect(apart, `${first} and ${second}`).toBeGreaterThanOrEqual(20);
      }
    }
  });

  it.each(THEMES)('racers are told apart in the %s room', (theme) => {
    for (const [one, other] of pairs(['racer-1', 'racer-2', 'racer-3', 'racer-4'])) {
      const apart = difference(labOf(vision(token(one, theme))), labOf(vision(token(other, theme))));
      // Each has a dash of its own besides.
      expect(apart, `${one} and ${other}`).toBeGreaterThanOrEqual(10);
    }
  });
});

describe('a disk', () => {
  it.each(SPECTRA.flatMap(paintsOf))('in %s stands out from the table', (paint) => {
    expect(contrast(token(paint), token('table'))).toBeGreaterThanOrEqual(3);
  });

  it.each(SPECTRA)('of %s bears a figure that can be read', (spectrum) => {
    for (const paint of paintsOf(spectrum)) {
      expect(contrast(token(`${spectrum}-figure`), token(paint)), paint).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('is painted from these tokens alone', () => {
    const gems = DRAWINGS['../parts/Gems.svelte'] ?? '';
    const stops = [...gems.matchAll(/stop-color="([^"]+)"/g)].map(([, colour]) => colour);
    expect(stops.length).toBeGreaterThan(0);
    expect(stops.filter((colour) => !/^var\(--[\w{}-]+\)$/.test(colour ?? ''))).toEqual([]);
    expect(gems).not.toMatch(/opacity/);
    expect(DRAWINGS['../parts/Disk.svelte']).toMatch(/fill="url\(#gem-\{spectrum\}\)"/);
  });
});

describe.each(THEMES)('in the %s room', (theme) => {
  const surfaces = ['night', 'walnut-deep', 'walnut', 'walnut-light', 'sunk', 'glow-1', 'glow-2', 'button-top', 'button-foot'];
  const grounds = surfaces.map((name): [string, Rgb] => [name, token(name, theme)]);
  const washed = grounds.flatMap(([name, ground]): [string, Rgb][] => [
    [name, ground],
    [`shade on ${name}`, token('shade', theme, ground)],
  ]);

  it.each(['text', 'text-soft', 'brass', 'brass-light', 'good', 'bad'])('%s can be read on every surface', (name) => {
    for (const [surface, ground] of washed) {
      expect(contrast(token(name, theme), ground), `on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(['good', 'bad'])('%s can be read on its own wash', (name) => {
    for (const [surface, ground] of grounds.slice(0, 5)) {
      const wash = token(`${name}-wash`, theme, ground);
      expect(contrast(token(name, theme), wash), `on ${surface}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token('text', theme), wash), `text on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(['rim', 'focus', 'racer-1', 'racer-2', 'racer-3', 'racer-4'])('%s stands out from every surface', (name) => {
    for (const [surface, ground] of grounds) {
      expect(contrast(token(name, theme), ground), `on ${surface}`).toBeGreaterThanOrEqual(3);
    }
  });

  it('brass to press bears its words', () => {
    for (const brass of ['primary-top', 'primary-foot']) {
      expect(contrast(token('primary-text', theme), token(brass, theme)), brass).toBeGreaterThanOrEqual(4.5);
    }
  });
});
