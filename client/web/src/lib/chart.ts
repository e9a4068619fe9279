// The geometry of the chart of distances: steps over the race clock, bounds as bands, a lane of its own for lost boards.

import type { CurveView } from './protocol';
import { boundsOf } from './review';

/** A chart of a size in pixels. */
export interface Chart {
  /** Where an instant stands. */
  x: (ms: number) => number;
  /** Where a distance stands. */
  y: (distance: number) => number;
  /** The instant of a place. */
  msAt: (x: number) => number;
  /** The middle of the lane for lost boards; absent where nobody lost one. */
  lostY: number | null;
  /** One line a racer. */
  lines: ChartLine[];
  /** Distances to write at the side, from 0 up. */
  distances: number[];
  /** Instants to write below. */
  instants: number[];
}

/** One racer's line. */
export interface ChartLine {
  seat: number;
  /** The path of the lower bound, or of the lane once the board is lost. */
  line: string;
  /** Where only bounds are known: the paths of the areas between them. */
  bands: string[];
  /** Where the line ends. */
  end: { x: number; y: number };
}

const LEFT = 30;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 22;
/** The height of the lane for lost boards. */
const LOST_LANE = 24;
const DISTANCE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200];
const INSTANT_STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map((s) => s * 1_000);

/** The chart of these curves from T0 to `length` milliseconds. */
export function chartOf(curves: readonly CurveView[], length: number, width: number, height: number): Chart {
  const all = curves.flatMap((curve) => curve.points.map(([, toGo]) => boundsOf(toGo)));
  const most = Math.max(1, ...all.map(({ lower, upper }) => upper ?? lower ?? 0));
  const top = TOP + (all.some(({ isLost }) => isLost) ? LOST_LANE : 0);
  const span = Math.max(1, length);
  const wide = Math.max(1, width - LEFT - RIGHT);
  const high = Math.max(1, height - top - BOTTOM);
  const x = (ms: number): number => LEFT + (Math.min(Math.max(0, ms), span) / span) * wide;
  const y = (distance: number): number => top + high * (1 - distance / most);
  const lostY = top > TOP ? TOP + LOST_LANE / 2 - 4 : null;
  return {
    x,
    y,
    msAt: (place) => Math.round((Math.min(Math.max(0, place - LEFT), wide) / wide) * span),
    lostY,
    lines: curves.map((curve) => lineOf(curve, span, { x, y, lostY: lostY ?? TOP })),
    distances: ticks(most, DISTANCE_STEPS, high / 26),
    instants: ticks(length, INSTANT_STEPS_MS, wide / 70),
  };
}

interface Scale {
  x: (ms: number) => number;
  y: (distance: number) => number;
  lostY: number;
}

function lineOf({ seat, points }: CurveView, length: number, { x, y, lostY }: Scale): ChartLine {
  let line = '';
  const bands: string[] = [];
  let end = { x: x(0), y: y(0) };
  points.forEach(([from, toGo], index) => {
    const until = points[index + 1]?.[0] ?? Math.max(from, length);
    const { lower, upper, isLost } = boundsOf(toGo);
    const at = isLost ? lostY : y(lower ?? 0);
    line += `${index === 0 ? 'M' : 'L'}${round(x(from))} ${round(at)}H${round(x(until))}`;
    end = { x: x(until), y: at };
    if (!isLost && upper !== lower) {
      // Without an upper bound the band reaches to the top.
      const to = upper === null ? lostY : y(upper);
      bands.push(`M${round(x(from))} ${round(at)}H${round(x(until))}V${round(to)}H${round(x(from))}Z`);
    }
  });
  return { seat, line, bands, end };
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** Numbers from 0 to `most` by the smallest step that gives at most so many. */
function ticks(most: number, steps: readonly number[], count: number): number[] {
  const step = steps.find((candidate) => most / candidate <= Math.max(1, count)) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}
