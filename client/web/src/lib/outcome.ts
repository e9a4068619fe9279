// What a round came to, in the words of its headline. Pure but for the language.

import { formatMillis, formatSeconds } from './clock';
import { words } from './locale.svelte';
import type { RoundResult, SeatResult } from './protocol';
import { isolate } from './words';

/** One figure of a result with what it is measured by. */
export interface Figure {
  name: string;
  value: string;
  /** What it means; empty where there is nothing to say. */
  note: string;
  /** Whether that is worth a mark. */
  isGood: boolean;
}

/** The headline of a round, to the player in seat `own` or to those who watch. */
export function headlineOf(result: RoundResult, own: number | null): string {
  const t = words('result').result;
  const mine = result.seats.find(({ seat }) => seat === own);
  if (mine?.finish != null && mine.rank === 1) return t.restored;
  const [winner, ...rest] = result.seats.filter(({ rank }) => rank === 1);
  if (winner === undefined) return t.isOver;
  if (rest.length > 0) return t.shared;
  if (winner.seat === own) return t.youFirst;
  return winner.finish === null ? t.first(isolate(winner.name)) : t.restoredBy(isolate(winner.name));
}

/** The four figures of a racer: time, moves, errors, score. */
export function figuresOf(result: RoundResult, seat: SeatResult, disks: number): Figure[] {
  const t = words('result').result;
  return [
    timeOf(result, seat, disks),
    movesOf(result, seat),
    { name: t.errors, value: String(seat.errors), note: seat.errors === 0 && seat.finish !== null ? (seat.flawless ? t.flawless : t.clean) : '', isGood: seat.errors === 0 },
    { name: t.score, value: String(seat.score), note: seat.stars > 0 ? '★'.repeat(seat.stars) : '', isGood: seat.stars > 0 },
  ];
}

function timeOf(result: RoundResult, seat: SeatResult, disks: number): Figure {
  const t = words('result').result;
  if (seat.finish === null) {
    const note = seat.gave_up ? t.gaveUp : seat.absent ? t.notThere : t.settled(seat.settled, disks);
    return { name: t.time, value: '–', note, isGood: false };
  }
  const mine = seat.finish.official_ms;
  const others = result.seats.filter((other) => other !== seat && other.finish !== null).map((other) => other.finish?.official_ms ?? 0);
  const best = Math.min(...others);
  const gap = Math.abs(mine - best);
  const sayGap = gap < 60_000 ? `${(gap / 1000).toFixed(gap < 10_000 ? 2 : 1)} s` : formatSeconds(gap);
  const note = others.length === 0 || gap === 0 ? '' : mine < best ? t.ahead(sayGap) : t.behind(sayGap);
  return { name: t.time, value: formatMillis(mine), note, isGood: others.length > 0 && mine < best };
}

function movesOf({ par, optimum }: RoundResult, seat: SeatResult): Figure {
  const t = words('result').result;
  const figure = { name: t.moves, value: String(seat.moves), note: '', isGood: false };
  if (seat.finish === null || par === null || optimum === null) return figure;
  if (seat.moves === optimum) return { ...figure, note: t.perfect, isGood: true };
  if (seat.moves === par) return { ...figure, note: t.atPar, isGood: true };
  return seat.moves < par ? { ...figure, note: t.underPar(par - seat.moves), isGood: true } : { ...figure, note: t.overPar(seat.moves - par) };
}
