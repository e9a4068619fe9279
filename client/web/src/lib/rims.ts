// The outlines of disks: each spectrum has a rim shape of its own, so that colour is never the only sign.
// Ruby serrated, Sapphire smooth, Emerald hexagonal, Amber square-notched, Violet scalloped. Pure geometry.

import type { Spectrum } from './board';

type Point = readonly [x: number, y: number];

/** The outline of a disk seen from the side, `width` × `height` with its corner at 0,0: the rim shows at both ends. */
export function plateOutline(spectrum: Spectrum, width: number, height: number): string {
  const right = endOf(spectrum, height).map(([inset, y]): Point => [width - inset, y]);
  const left = endOf(spectrum, height).map(([inset, y]): Point => [inset, height - y]);
  switch (spectrum) {
    case 'S': {
      const r = height / 2;
      const arc = (x: number, y: number): string => `A${n(r)} ${n(r)} 0 0 1 ${n(x)} ${n(y)}`;
      return `M${n(r)} 0H${n(width - r)}${arc(width - r, height)}H${n(r)}${arc(r, 0)}Z`;
    }
    case 'V': {
      const r = height / 6;
      const bumps = (points: readonly Point[]): string =>
        points.map(([x, y]) => `A${n(r)} ${n(r)} 0 0 1 ${n(x)} ${n(y)}`).join('');
      return `M${n(r)} 0H${n(width - r)}${bumps(right.slice(1))}H${n(r)}${bumps(left.slice(1))}Z`;
    }
    default:
      return polygon([...right, ...left]);
  }
}

/** The right end of a plate from top to bottom: how far inside the full width, and how far down. */
function endOf(spectrum: Spectrum, height: number): Point[] {
  const depth = height * 0.17;
  switch (spectrum) {
    case 'R':
      return [0, 1, 2, 3, 4, 5, 6].map((k): Point => [k % 2 === 0 ? depth : 0, (height * k) / 6]);
    case 'E':
      return [[height * 0.42, 0], [0, height / 2], [height * 0.42, height]];
    case 'A': {
      const ys = [0, 0.22, 0.22, 0.42, 0.42, 0.58, 0.58, 0.78, 0.78, 1];
      return ys.map((y, k): Point => [k % 4 === 2 || k % 4 === 3 ? depth : 0, height * y]);
    }
    case 'V':
      return [0, 1, 2, 3].map((k): Point => [height / 6, (height * k) / 3]);
    case 'S':
      return [[0, 0], [0, height]];
  }
}

/** The emblem of a spectrum, seen from above: centre 0,0 and outer radius `radius`. */
export function emblemOutline(spectrum: Spectrum, radius: number): string {
  switch (spectrum) {
    case 'R':
      return polygon(ring(24, (k) => (k % 2 === 0 ? radius : radius * 0.82)));
    case 'S': {
      const arc = `A${n(radius)} ${n(radius)} 0 1 1 `;
      return `M${n(-radius)} 0${arc}${n(radius)} 0${arc}${n(-radius)} 0Z`;
    }
    case 'E':
      return polygon(ring(6, () => radius));
    case 'A':
      return polygon(ring(32, (k) => (k % 4 < 2 ? radius : radius * 0.8)));
    case 'V': {
      const petals = 8;
      const valley = radius * 0.82;
      const bump = valley * Math.sin(Math.PI / petals);
      const points = ring(petals, () => valley);
      const [first, ...rest] = [...points, points[0] ?? [0, 0]] as Point[];
      const arcs = rest.map(([x, y]) => `A${n(bump)} ${n(bump)} 0 0 1 ${n(x)} ${n(y)}`).join('');
      return `M${n(first?.[0] ?? 0)} ${n(first?.[1] ?? 0)}${arcs}Z`;
    }
  }
}

function ring(count: number, radius: (k: number) => number): Point[] {
  return Array.from({ length: count }, (_, k): Point => {
    const angle = (2 * Math.PI * k) / count;
    return [radius(k) * Math.cos(angle), radius(k) * Math.sin(angle)];
  });
}

function polygon(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`;
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
