// Where the pegs and disks of a classic tower stand, in pixels. Pure geometry for 0 to 64 disks and any size of table.

import type { Peg } from './classic';

/** A table of a given size. */
export interface Stack {
  columnWidth: number;
  diskHeight: number;
  /** The floor on which the lowest disks lie. */
  floor: number;
  /** The top of the rods. */
  rodTop: number;
  narrowest: number;
  widest: number;
  disks: number;
}

/** Room for the base with the pegs' numbers. */
const FOOT = 34;
const DISK_HEIGHT_MAX = 44;
/** A lower disk has no room for its number. */
const NUMBERED_FROM = 10;

/** The layout of so many disks on a table of `width` × `height`. */
export function stackOf(disks: number, width: number, height: number): Stack {
  const columnWidth = width / 3;
  const floor = height - FOOT;
  // Above the whole tower there is room for a lifted disk and a little air.
  const diskHeight = Math.max(2, Math.min(DISK_HEIGHT_MAX, columnWidth * 0.3, floor / (Math.max(disks, 3) + 2.2)));
  const rodTop = floor - diskHeight * (Math.max(disks, 3) + 0.6);
  const widest = columnWidth * 0.94;
  const narrowest = Math.min(widest * 0.5, Math.max(diskHeight * 1.3, widest * 0.16));
  return { columnWidth, diskHeight, floor, rodTop, narrowest, widest, disks };
}

/** The width of a disk: the largest fills its column. */
export function plateWidth({ narrowest, widest, disks }: Stack, disk: number): number {
  return disks <= 1 ? (narrowest + widest) / 2 : narrowest + ((widest - narrowest) * (disk - 1)) / (disks - 1);
}

/** The middle of a peg. */
export function middleOf({ columnWidth }: Stack, peg: Peg): number {
  return (peg - 0.5) * columnWidth;
}

/** The top edge of a disk that lies on so many others, or that is lifted. */
export function plateY({ floor, diskHeight, rodTop }: Stack, below: number, lifted: boolean): number {
  return lifted ? Math.max(0, rodTop - diskHeight * 1.2) : floor - (below + 1) * diskHeight;
}

/** Whether disks bear their numbers. */
export function isNumbered({ diskHeight }: Stack): boolean {
  return diskHeight >= NUMBERED_FROM;
}

/** The peg under a point. */
export function pegUnder({ columnWidth }: Stack, x: number): Peg | null {
  const column = Math.floor(x / columnWidth);
  return column >= 0 && column < 3 ? ((column + 1) as Peg) : null;
}
