// What a stage is made of, and what a session on it came to, in words: the Spire Ledger as a sum, records and news of them.

import { formatMillis, formatSeconds } from './clock';
import { locale, words } from './locale.svelte';
import type { SeatResult, StageInfo, StageRecord } from './protocol';
import { BONUS_MS } from './solo';

/** One line of the Spire Ledger. */
export interface LedgerLine {
  /** What it is for. */
  what: string;
  /** What it adds, or what the sum so far is multiplied by. */
  figure: string;
  /** The sum with it. */
  sum: number;
}

/** `3 spectra of 4 disks`, `5 pegs, 2 of them free`, `1 seal`: what a stage is made of. */
export function featuresOf(stage: StageInfo): string[] {
  const { spectra, sizes, pegs, free, collars, seals, homes } = stage;
  const t = words('alone').stage;
  const parts = [t.spectra(spectra, sizes), t.pegs(pegs, free)];
  if (collars > 0) parts.push(t.collars(collars));
  if (seals > 0) parts.push(t.seals(seals));
  if (homes > 0) parts.push(t.homes(homes));
  return parts;
}

/** The Spire Ledger of a finish, line by line (RULES section 4); empty without harmony. */
export function ledgerOf(seat: SeatResult, par: number | null): LedgerLine[] {
  if (seat.finish === null) return [];
  const t = words('alone').ledger;
  const lines: LedgerLine[] = [{ what: t.harmony, figure: '1000', sum: 1000 }];
  const add = (what: string, points: number): void => {
    lines.push({ what, figure: `+ ${points}`, sum: (lines.at(-1)?.sum ?? 0) + points });
  };
  const under = Math.max(0, (par ?? 0) - seat.moves);
  if (par !== null) add(t.underPar(under), 50 * under);
  const isFast = seat.finish.official_ms < BONUS_MS;
  add(isFast ? t.fast : t.slow, isFast ? 100 : 0);
  const sum = lines.at(-1)?.sum ?? 0;
  const factor = seat.flawless ? 1.5 : 1;
  lines.push({ what: seat.flawless ? t.flawless : t.flawed, figure: `× ${factor.toLocaleString(locale())}`, sum: sum * factor });
  return lines;
}

/** What a finish improved on the record that stood before it, in words; all of it on a first finish is no news. */
export function improvements(before: StageRecord | null, seat: SeatResult): string[] {
  if (before === null || before.solved === 0 || seat.finish === null) return [];
  const t = words('alone').record;
  const found: string[] = [];
  if (seat.score > before.score) found.push(t.betterScore(String(seat.score), String(before.score)));
  if (before.moves !== null && seat.moves < before.moves) found.push(t.fewerMoves(seat.moves, before.moves));
  const time = seat.finish.official_ms;
  if (before.official_ms !== null && time < before.official_ms) {
    found.push(t.betterTime(formatMillis(time), formatMillis(before.official_ms)));
  }
  return found;
}

/** A record in one line: `7 moves · 0:12`. */
export function sayRecord(record: StageRecord | null): string {
  const t = words('alone');
  if (record === null || record.moves === null) return t.record.none;
  const time = record.official_ms === null ? '' : ` · ${formatSeconds(record.official_ms)}`;
  return `${t.moves(record.moves)}${time}`;
}
