// The distances of racers as they come, for those who watch.

import type { CurveView, ToGo } from './protocol';

/** The curves with one more distance at its place in time: they may come out of order, and the last of an instant counts. */
export function withDistance(curves: readonly CurveView[], seat: number, ms: number, toGo: ToGo): CurveView[] {
  const point: [number, ToGo] = [ms, toGo];
  const known = curves.find((curve) => curve.seat === seat);
  if (known === undefined) return [...curves, { seat, points: [point] }].sort((a, b) => a.seat - b.seat);
  const { points } = known;
  const before = points.findLastIndex(([at]) => at < ms) + 1;
  const after = points[before]?.[0] === ms ? before + 1 : before;
  const joined = [...points.slice(0, before), point, ...points.slice(after)];
  return curves.map((curve) => (curve === known ? { seat, points: joined } : curve));
}
