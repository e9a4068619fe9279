// What a player's page says of their ratings and rounds.

import { words } from './locale.svelte';
import type { MatchSummary, Preset, ShownRating, SeatResult } from './protocol';
import { isolate, ordinal } from './words';

/** The rating on a preset's boards, or on all of them; `null` if there is none. */
export function inSeries(ratings: readonly ShownRating[], preset: Preset | null): ShownRating | null {
  return ratings.find((rating) => rating.preset === preset) ?? null;
}

/** The player's seat in a round. */
export function seatOf(round: MatchSummary, playerId: string): SeatResult | null {
  return round.result.seats.find((seat) => seat.player === playerId) ?? null;
}

/** `2nd of 4`, or what came instead of a finish. */
export function outcomeOf(round: MatchSummary, playerId: string): string {
  const seat = seatOf(round, playerId);
  if (seat === null) return '–';
  return words('people').player.placed(ordinal(seat.rank), seat.rank, round.result.seats.length);
}

/** The names of the others, or that nobody else was there. */
export function opponentsOf(round: MatchSummary, playerId: string): string {
  const others = round.result.seats.filter((seat) => seat.player !== playerId);
  return others.map((seat) => isolate(seat.name)).join(', ') || words('people').player.nobodyElse;
}
