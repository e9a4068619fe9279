// What a visitor takes out of the page: a result as a text with a link.

import { SPECTRA, type Board, spectrumOf } from './board';
import { formatMillis } from './clock';
import { words } from './locale.svelte';
import type { RoundResult, SeatResult } from './protocol';
import { isolate } from './words';

/** The squares that stand for spectra, in the order of the notation, and the one for what is not there yet. */
const SQUARES = { R: '🟥', S: '🟦', E: '🟩', A: '🟧', V: '🟪' } as const;
const EMPTY = '⬛';

const MEDALS: readonly string[] = ['🥇', '🥈', '🥉'];

/** A result as a few lines to send on: what was raced, who came where, how far everybody came, and where to see it. */
export function shareText(result: RoundResult, board: Board, title: string, link: string): string {
  const disks = board.pegs.flat();
  const squares = SPECTRA.filter((letter) => disks.some((disk) => spectrumOf(disk) === letter)).map((letter) => SQUARES[letter]);
  const t = words('result').share;
  const lines = result.seats.map((seat) => {
    const full = seat.finish === null ? Math.floor((seat.settled / Math.max(1, disks.length)) * squares.length) : squares.length;
    const bar = squares.map((square, index) => (index < full ? square : EMPTY)).join('');
    return `${MEDALS[seat.rank - 1] ?? `${seat.rank}.`} ${bar} ${isolate(seat.name)} · ${outcomeOf(seat, disks.length)}`;
  });
  const measure = result.par === null || result.optimum === null ? [] : [t.par(result.par, result.optimum)];
  return [`Technomancer Sprint · ${title}`, ...lines, ...measure, link].join('\n');
}

function outcomeOf(seat: SeatResult, disks: number): string {
  if (seat.finish === null) return `${seat.settled}/${disks}`;
  return `${formatMillis(seat.finish.official_ms)} · ${words('result').share.moves(seat.moves)}`;
}
