// Where pegs and disks stand on the table, in pixels. Pure geometry for any size of board and table.

import { type Board, allDisks, sizeOf } from './board';

/** A table of a given size with its pegs in one row or two. */
export interface Layout {
  columns: number;
  rows: number;
  columnWidth: number;
  rowHeight: number;
  diskHeight: number;
  /** Room above the rods for a lifted disk. */
  lift: number;
  /** Room below the rods for the base with the pegs' numbers. */
  foot: number;
  /** The largest size on the board: the widest disk. */
  sizeMax: number;
}

const COLUMN_MIN = 50;
const DISK_HEIGHT_MAX = 84;

/** The layout of a board on a table of `width` × `height`; `mini` for boards to glance at. */
export function layoutOf(board: Board, width: number, height: number, mini = false): Layout {
  const pegs = board.pegs.length;
  const rows = !mini && pegs > 4 && width / pegs < COLUMN_MIN ? 2 : 1;
  const columns = Math.ceil(pegs / rows);
  const rowHeight = height / rows;
  const columnWidth = width / columns;
  const foot = mini ? 4 : 34;
  const tallest = Math.max(...board.capacities);
  // A lifted disk takes the height of one disk and a little air.
  const free = rowHeight - foot;
  const diskHeight = Math.max(4, Math.min(DISK_HEIGHT_MAX, columnWidth * 0.58, free / (tallest + (mini ? 1.1 : 1.5))));
  const lift = free - diskHeight * tallest;
  const sizeMax = Math.max(...allDisks(board).map(sizeOf), 1);
  return { columns, rows, columnWidth, rowHeight, diskHeight, lift, foot, sizeMax };
}

/** The centre of a peg. */
export function pegX(layout: Layout, peg: number): number {
  const { columns, columnWidth } = layout;
  return (((peg - 1) % columns) + 0.5) * columnWidth;
}

/** The top edge of a peg's row. */
export function rowY(layout: Layout, peg: number): number {
  return Math.floor((peg - 1) / layout.columns) * layout.rowHeight;
}

/** The floor on which a peg's lowest disk lies. */
export function floorY(layout: Layout, peg: number): number {
  return rowY(layout, peg) + layout.rowHeight - layout.foot;
}

/** The top edge of the disk at `index` on a peg, from 0 at the bottom. */
export function diskY(layout: Layout, peg: number, index: number): number {
  return floorY(layout, peg) - (index + 1) * layout.diskHeight;
}

/** The top edge of a disk that is lifted from a peg: above the rods. */
export function liftedY(layout: Layout, peg: number, room: number): number {
  const rodTop = floorY(layout, peg) - room * layout.diskHeight;
  return Math.max(rowY(layout, peg), rodTop - layout.diskHeight * 1.3);
}

/** The width of a disk of that size. */
export function diskWidth(layout: Layout, size: number): number {
  const widest = layout.columnWidth * 0.94;
  const narrowest = Math.min(widest, Math.max(layout.diskHeight * 0.95, widest * 0.42));
  if (layout.sizeMax <= 1) return narrowest;
  return narrowest + ((widest - narrowest) * (size - 1)) / (layout.sizeMax - 1);
}

/** The peg that a key leads to from another one, over a table of so many columns; `null` where it leads nowhere. */
export function pegBeside(peg: number, key: string, columns: number, pegs: number): number | null {
  const to = { ArrowLeft: peg - 1, ArrowRight: peg + 1, ArrowUp: peg - columns, ArrowDown: peg + columns, Home: 1, End: pegs }[key];
  return to === undefined || to < 1 || to > pegs ? null : to;
}

/** The peg under a point of the table; `null` off the table. */
export function pegAt(layout: Layout, x: number, y: number, pegs: number): number | null {
  const column = Math.floor(x / layout.columnWidth);
  const row = Math.floor(y / layout.rowHeight);
  if (column < 0 || column >= layout.columns || row < 0 || row >= layout.rows) return null;
  const peg = row * layout.columns + column + 1;
  return peg <= pegs ? peg : null;
}
