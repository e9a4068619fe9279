// What an own act feels like: told apart by what it came to.

import { sizeOf, topOf } from './board';
import { celebrate } from './celebrate';
import { feel } from './feel';
import { isHarmony, towers } from './legality';
import { type Forecast, type Play, applied } from './play';

/** Lets an act be felt that was done on `before`; on harmony `board` is celebrated. */
export function feelAct(before: Play, forecast: Forecast, board: () => Element | null): void {
  if (forecast.kind === 'unknown') return;
  if (forecast.kind === 'refused') {
    feel('refused');
    return;
  }
  const { deed } = forecast;
  switch (deed.type) {
    case 'lifted':
      return feel('lift', sizeOn(before, deed.peg));
    case 'erred':
    case 'returned':
    case 'two_handed':
      return feel('refused');
    case 'transferred': {
      const after = applied(before, deed).board;
      if (isHarmony(after)) {
        feel('harmony');
        celebrate(board());
      } else {
        feel(towers(after) > towers(before.board) ? 'tower' : 'place', sizeOn(before, deed.from));
      }
      return;
    }
    case 'put_back':
      return feel('place', sizeOn(before, deed.peg));
    case 'undone':
      return feel('place', sizeOn(before, deed.to));
    case 'reset':
      return feel('place', 7);
  }
}

function sizeOn({ board }: Play, peg: number): number {
  const disk = topOf(board, peg);
  return disk === undefined ? 4 : sizeOf(disk);
}
