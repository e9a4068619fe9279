import { describe, expect, it } from 'vitest';
import { chartOf } from './chart';
import type { CurveView } from './protocol';

const WIDTH = 642;
const HEIGHT = 132;
const exact: CurveView = { seat: 1, points: [[0, 10], [4_000, 9], [6_000, 12], [10_000, 0]] };

describe('the chart of distances', () => {
  it('runs in steps: a distance holds until the next one, and the last to the end', () => {
    const { lines, x, y } = chartOf([exact], 12_000, WIDTH, HEIGHT);
    const [line] = lines;
    const steps = [...(line?.line.matchAll(/[ML]([\d.]+) ([\d.]+)H([\d.]+)/g) ?? [])].map((found) => found.slice(1).map(Number));
    expect(steps).toHaveLength(4);
    const near = (place: number | undefined, wanted: number) => expect(place).toBeCloseTo(wanted, 1);
    [0, 4_000, 6_000, 10_000].forEach((ms, index) => near(steps[index]?.[0], Math.round(x(ms) * 10) / 10));
    [10, 9, 12, 0].forEach((distance, index) => near(steps[index]?.[1], Math.round(y(distance) * 10) / 10));
    near(steps[3]?.[2], x(12_000));
    expect(line?.bands).toEqual([]);
  });

  it('has harmony at the bottom and the farthest distance at the top, and finds an instant again', () => {
    const { x, y, msAt, lostY, distances, instants } = chartOf([exact], 12_000, WIDTH, HEIGHT);
    expect(y(0)).toBeGreaterThan(y(12));
    expect(y(12)).toBe(10);
    expect([0, 3_333, 12_000].map((ms) => msAt(x(ms)))).toEqual([0, 3_333, 12_000]);
    expect([msAt(-50), msAt(WIDTH + 50)]).toEqual([0, 12_000]);
    expect(lostY).toBeNull();
    expect(distances[0]).toBe(0);
    expect(Math.max(...distances)).toBeLessThanOrEqual(12);
    expect(instants).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000]);
  });

  it('draws bounds as an area, up to the top where there is no upper one', () => {
    const { lines, y } = chartOf([{ seat: 2, points: [[0, [4, 8]], [500, [4, null]], [900, 4]] }], 1_000, WIDTH, HEIGHT);
    const heights = lines[0]?.bands.map((band) => Number(/V([\d.]+)/.exec(band)?.[1]));
    expect(heights).toEqual([y(8), y(8)].map((place) => Math.round(place * 10) / 10));
  });

  it('has a lane above all distances for a lost board', () => {
    const { lines, lostY, y } = chartOf([{ seat: 1, points: [[0, 5], [700, 'lost']] }], 1_000, WIDTH, HEIGHT);
    expect(lostY).toBeLessThan(y(5));
    expect(lines[0]?.end.y).toBe(lostY);
  });

  it('of nothing is an empty chart', () => {
    const { lines, distances, instants } = chartOf([], 0, 0, 0);
    expect(lines).toEqual([]);
    expect([...distances, ...instants].every(Number.isFinite)).toBe(true);
  });
});
