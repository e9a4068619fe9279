// A small solver for the boards of the tests: A* by the number of disks that are not settled yet. Shares no code with
// the server's solver.

import { type Board, pegNumbers, withTransfer } from '../src/lib/board';
import { isHarmony, legalTargets, settled } from '../src/lib/legality';

/** A transfer, pegs from 1. */
export type Transfer = readonly [from: number, to: number];

interface Node {
  board: Board;
  cost: number;
  last: Transfer | null;
  parent: Node | null;
}

/** A line to harmony; the shortest with `weight` 1, found faster with more. Boards without rings only. */
export function solve(start: Board, weight = 1): Transfer[] {
  const disks = start.pegs.flat().length;
  const buckets: Node[][] = [];
  const best = new Map<string, number>();
  const push = (node: Node): void => {
    const key = [...node.board.pegs.map((peg) => peg.join(''))].sort().join('/');
    if ((best.get(key) ?? Infinity) <= node.cost) return;
    best.set(key, node.cost);
    const estimate = node.cost + weight * (disks - settled(node.board));
    (buckets[estimate] ??= []).push(node);
  };
  push({ board: start, cost: 0, last: null, parent: null });
  for (let at = 0; at < buckets.length; at++) {
    for (let node = buckets[at]?.pop(); node !== undefined; node = buckets[at]?.pop()) {
      if (isHarmony(node.board)) return lineTo(node);
      for (const last of transfers(node.board)) {
        push({ board: withTransfer(node.board, ...last), cost: node.cost + 1, last, parent: node });
      }
      // With a weight the estimate may fall: go on from the lowest bucket that has something.
      if (weight > 1) at = Math.min(at, buckets.findIndex((bucket) => (bucket?.length ?? 0) > 0));
      if (at < 0) break;
    }
    if (at < 0) break;
  }
  throw new Error('the board cannot be solved');
}

/**
 * A line that wastes nothing up to its last transfer, which loses the board or wastes two or more; what that one cost.
 * There is one on every board with two spectra and two pegs to spare: a transfer before harmony the small disk of the
 * tower that stands can still be carried off.
 */
export function lineToMistake(start: Board): { line: Transfer[]; cost: string } {
  const optimal = solve(start);
  let board = start;
  for (const [made, next] of optimal.entries()) {
    const distance = optimal.length - made;
    for (const transfer of transfers(board)) {
      const left = distanceOf(withTransfer(board, ...transfer));
      const cost = left === null ? 'lost the board' : `cost ${left + 1 - distance} transfers`;
      if (left === null || left + 1 - distance >= 2) return { line: [...optimal.slice(0, made), transfer], cost };
    }
    board = withTransfer(board, ...next);
  }
  throw new Error('no transfer along the line is a mistake');
}

function distanceOf(board: Board): number | null {
  try {
    return solve(board).length;
  } catch {
    return null;
  }
}

function transfers(board: Board): Transfer[] {
  return pegNumbers(board).flatMap((from) => legalTargets(board, from, 0).map((to): Transfer => [from, to]));
}

function lineTo(node: Node): Transfer[] {
  const line: Transfer[] = [];
  for (let at: Node | null = node; at?.last != null; at = at.parent) line.unshift(at.last);
  return line;
}
