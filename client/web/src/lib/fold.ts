// From events to a room's state: the same room that a fresh snapshot would show. Pure; values are replaced.

import { parseBoard } from './board';
import { settled } from './legality';
import { type Deed, type Play, applied, movesOf, playOf } from './play';
import type { FinishTimes, PlayView, RoundView, SeatView, View, WireEvent } from './protocol';

/** One racer as this page knows it. */
export interface Racer {
  seat: number;
  /** The play, where the board may be seen. */
  play: Play | null;
  moves: number;
  errors: number;
  settled: number;
  finish: FinishTimes | null;
  gaveUp: boolean;
}

/** The racers of a round, by seat. */
export function racersOf(round: RoundView | null): Racer[] {
  if (round === null) return [];
  const start = round.board === null ? null : parseBoard(round.board);
  return round.plays.map((view) => ({
    seat: view.seat,
    play: start === null ? null : playOf(view, start),
    moves: view.moves,
    errors: view.errors,
    settled: view.settled,
    finish: view.finish,
    gaveUp: view.gave_up,
  }));
}

/** What an event says an act did; `null` if it is of another kind. */
export function deedOf(event: WireEvent): { seat: number; n: number; deed: Deed } | null {
  switch (event.type) {
    case 'lifted':
    case 'put_back':
      return { seat: event.seat, n: event.n, deed: { type: event.type, peg: event.peg } };
    case 'transferred':
    case 'erred':
    case 'returned':
    case 'undone':
      return { seat: event.seat, n: event.n, deed: { type: event.type, from: event.from, to: event.to } };
    case 'two_handed':
    case 'reset':
      return { seat: event.seat, n: event.n, deed: { type: event.type } };
    default:
      return null;
  }
}

/** A racer after an event. */
export function foldRacer(racer: Racer, event: WireEvent): Racer {
  if (!('seat' in event) || event.seat !== racer.seat) return racer;
  const acted = deedOf(event);
  if (acted !== null && racer.play !== null) return withPlay(racer, applied(racer.play, acted.deed));
  switch (event.type) {
    case 'progress':
      return { ...racer, settled: event.settled, moves: event.moves, errors: event.errors };
    case 'finished':
      return { ...racer, finish: event.finish };
    case 'gave_up':
    case 'left':
      return { ...racer, gaveUp: true };
    default:
      return racer;
  }
}

/** A racer whose play is this now. */
export function withPlay(racer: Racer, play: Play): Racer {
  return { ...racer, play, moves: movesOf(play), errors: play.errors, settled: settled(play.board) };
}

/** The room after an event. Boards in play are the racers' part; here they stay as the last snapshot told them. */
export function fold(view: View, event: WireEvent): View {
  switch (event.type) {
    case 'seat_taken': {
      const { seat, player, name, bot } = event;
      const taken: SeatView = { seat, player, name, bot, present: false, ready: false, left: false, taken: 0 };
      const others = view.seats.filter((other) => other.seat !== seat);
      return { ...view, seats: [...others, taken].sort((a, b) => a.seat - b.seat) };
    }
    case 'left':
      if (view.phase === 'lobby' || view.phase === 'over') {
        return { ...view, seats: view.seats.filter((other) => other.seat !== event.seat) };
      }
      return leftRound(withSeat(view, event.seat, { left: true, present: false, ready: false }), event.seat);
    case 'host_changed':
      return { ...view, host: event.seat };
    case 'connected':
      return withSeat(view, event.seat, { present: true });
    case 'disconnected':
      return withSeat(view, event.seat, { present: false, ready: false });
    case 'readied':
      return withSeat(view, event.seat, { ready: event.ready });
    case 'committed':
      return committed(view, event);
    case 'countdown_started':
      return withRound({ ...view, phase: 'countdown' }, { in_ms: event.in_ms, credit_ms: event.credit_ms });
    case 'round_dropped': {
      const seats = event.phase === 'lobby' ? view.seats.filter((seat) => !seat.left) : view.seats;
      return { ...view, phase: event.phase, round: null, seats };
    }
    case 'interrupted':
      return allAway(view);
    case 'paused':
      return withRound({ ...allAway(view), phase: 'paused' }, { in_ms: null, interrupted: true });
    case 'resumed':
      return withRound({ ...view, phase: 'countdown' }, { in_ms: event.in_ms });
    case 'round_over':
      return roundOver(view, event);
    case 'series_over': {
      const seats = view.seats.filter((seat) => !seat.left);
      return { ...view, phase: 'over', ranking: event.ranking, seats };
    }
    case 'closed':
      return { ...view, phase: 'closed' };
    default:
      return view;
  }
}

function allAway(view: View): View {
  return { ...view, seats: view.seats.map((seat) => ({ ...seat, present: false })) };
}

/** Who leaves while the board is dealt is no racer; later leaving is giving up. */
function leftRound(view: View, number: number): View {
  if (view.phase !== 'dealing' || view.round === null) return view;
  return withRound(view, { plays: view.round.plays.filter((play) => play.seat !== number) });
}

function withSeat(view: View, number: number, change: Partial<SeatView>): View {
  return { ...view, seats: view.seats.map((seat) => (seat.seat === number ? { ...seat, ...change } : seat)) };
}

function withRound(view: View, change: Partial<RoundView>): View {
  return { ...view, round: view.round === null ? null : { ...view.round, ...change } };
}

function committed(view: View, event: Extract<WireEvent, { type: 'committed' }>): View {
  const seats = view.seats.map((seat) => ({ ...seat, ready: false, taken: event.opens_series ? 0 : seat.taken }));
  const { round, round_id, commitment } = event;
  const plays: PlayView[] = seats
    .filter((seat) => !seat.left)
    .map(({ seat }) => ({
      seat,
      board: null,
      held: null,
      ply: null,
      transfers: null,
      moves: 0,
      errors: 0,
      settled: 0,
      flawless: true,
      finish: null,
      gave_up: false,
    }));
  const unknown = { in_ms: null, clock_ms: null, credit_ms: null, board: null, optimum: null, par: null };
  const limit_ms = view.round?.limit_ms ?? 0;
  const fresh = { ...unknown, limit_ms, interrupted: false, result: null, reveal: null };
  const ranking = event.opens_series ? null : view.ranking;
  return { ...view, phase: 'dealing', seats, ranking, round: { round, round_id, commitment, plays, ...fresh } };
}

function roundOver(view: View, event: Extract<WireEvent, { type: 'round_over' }>): View {
  const { result, reveal } = event;
  const first = result.seats.filter((seat) => seat.rank === 1);
  const winner = first.length === 1 ? first[0]?.seat : undefined;
  const seats = view.seats.map((seat) => (seat.seat === winner ? { ...seat, taken: seat.taken + 1 } : seat));
  const { optimum, par, interrupted } = result;
  const known = { result, reveal, optimum, par, interrupted, in_ms: null, clock_ms: null };
  return withRound({ ...view, phase: 'break', seats }, { ...known, board: reveal.board });
}
