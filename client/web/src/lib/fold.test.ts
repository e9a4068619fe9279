import { describe, expect, it } from 'vitest';
import { fold, foldRacer, racersOf } from './fold';
import type { RoundResult, SeatView, View, WireEvent } from './protocol';

const BOARD = 'R2S1/S2R1/-/- 7';

const ADA: SeatView = {
  seat: 1,
  player: 'ada',
  name: 'Ada',
  bot: false,
  present: true,
  ready: true,
  left: false,
  taken: 0,
};

const LOBBY: View = {
  code: '7KQM01',
  options: {
    seats: 2,
    preset: 'standard',
    blueprint: null,
    time_limit_s: null,
    rounds: 3,
    contest: 'fastest',
    placement: 'strict',
    rated: false,
    public: false,
    opponents: 'boards',
    spectators: true,
    spectator_delay_s: 0,
  },
  phase: 'lobby',
  host: 1,
  seats: [ADA, { ...ADA, seat: 2, player: 'lucas', name: 'Lucas' }],
  round: null,
  ranking: null,
};

const COMMITTED: WireEvent = {
  seq: 9,
  type: 'committed',
  round: 1,
  round_id: 'round',
  opens_series: true,
  commitment: 'c0',
};

function racing(): View {
  const view = fold(LOBBY, COMMITTED);
  if (view.round === null) throw new Error('a commitment opens a round');
  const plays = view.round.plays.map((play) => ({ ...play, board: BOARD, ply: 0, transfers: 0 }));
  return { ...view, phase: 'racing', round: { ...view.round, board: BOARD, plays } };
}

describe('the lobby', () => {
  it('follows who sits, is there and is ready', () => {
    let view: View = { ...LOBBY, seats: [ADA] };
    view = fold(view, { seq: 2, type: 'seat_taken', seat: 2, player: 'lucas', name: 'Lucas', bot: false });
    expect(view.seats[1]).toMatchObject({ name: 'Lucas', present: false, ready: false });
    view = fold(view, { seq: 3, type: 'connected', seat: 2 });
    view = fold(view, { seq: 4, type: 'readied', seat: 2, ready: true });
    expect(view.seats[1]).toMatchObject({ present: true, ready: true });
    view = fold(view, { seq: 5, type: 'disconnected', seat: 2 });
    expect(view.seats[1]).toMatchObject({ present: false, ready: false });
    expect(fold(view, { seq: 6, type: 'left', seat: 2 }).seats).toHaveLength(1);
  });
});

describe('a round', () => {
  it('opens with a commitment that takes readiness back', () => {
    const view = fold(LOBBY, COMMITTED);
    expect(view.phase).toBe('dealing');
    expect(view.seats.map((seat) => seat.ready)).toEqual([false, false]);
    expect(racersOf(view.round).map((racer) => [racer.seat, racer.play])).toEqual([[1, null], [2, null]]);
  });

  it('keeps the seat of a player who leaves in mid-race, as one who gave up', () => {
    const view = fold(racing(), { seq: 20, type: 'left', seat: 2 });
    expect(view.seats[1]).toMatchObject({ left: true });
    expect(racersOf(view.round).map((racer) => foldRacer(racer, { seq: 20, type: 'left', seat: 2 }).gaveUp)).toEqual([
      false,
      true,
    ]);
  });

  it('is dropped when too few are left before the countdown', () => {
    const dealing = fold(fold(LOBBY, COMMITTED), { seq: 10, type: 'left', seat: 2 });
    expect(racersOf(dealing.round).map((racer) => racer.seat)).toEqual([1]);
    const dropped = fold(dealing, { seq: 11, type: 'round_dropped', phase: 'lobby' });
    expect(dropped).toMatchObject({ phase: 'lobby', round: null });
    expect(dropped.seats.map((seat) => seat.name)).toEqual(['Ada']);
  });

  it('stands still while the server is away, with nobody connected', () => {
    const paused = fold(racing(), { seq: 20, type: 'paused' });
    expect(paused).toMatchObject({ phase: 'paused', round: { in_ms: null, interrupted: true } });
    expect(paused.seats.map((seat) => seat.present)).toEqual([false, false]);
    expect(fold(paused, { seq: 21, type: 'resumed', in_ms: 3000, outage_ms: 900 })).toMatchObject({
      phase: 'countdown',
      round: { in_ms: 3000 },
    });
  });

  it('gives the winner the round, and the series its ranking', () => {
    const seat = { player: '', name: '', bot: false, finish: null, gave_up: false, absent: false };
    const figures = { settled: 0, moves: 0, errors: 0, flawless: true, score: 0, stars: 0, crown: false };
    const result: RoundResult = {
      round: 1,
      round_id: 'round',
      ended: 'time_up',
      interrupted: false,
      optimum: 4,
      par: 5,
      seats: [
        { ...seat, ...figures, seat: 2, rank: 1 },
        { ...seat, ...figures, seat: 1, rank: 2 },
      ],
    };
    const reveal = {
      deal_version: 1,
      source: 'standard',
      commitment: 'c0',
      redeals: 0,
      server_seed: 'd0',
      nonces: [],
      seed: null,
      board: BOARD,
    };
    const over = fold(racing(), { seq: 30, type: 'round_over', result, reveal });
    expect(over.phase).toBe('break');
    expect(over.seats.map(({ taken }) => taken)).toEqual([0, 1]);
    expect(over.round).toMatchObject({ result, reveal, board: BOARD, par: 5 });
    expect(fold(over, { seq: 31, type: 'series_over', ranking: [] })).toMatchObject({ phase: 'over', ranking: [] });
  });
});

describe('a racer', () => {
  it('is followed act by act where the board may be seen', () => {
    const [, lucas] = racersOf(racing().round);
    if (lucas === undefined) throw new Error('two racers');
    const events: WireEvent[] = [
      { seq: 11, type: 'lifted', seat: 2, n: 1, peg: 1 },
      { seq: 12, type: 'transferred', seat: 2, n: 2, from: 1, to: 3, moves: 1 },
      { seq: 13, type: 'lifted', seat: 1, n: 1, peg: 2 },
      { seq: 14, type: 'lifted', seat: 2, n: 3, peg: 2 },
      { seq: 15, type: 'erred', seat: 2, n: 4, from: 2, to: 3, errors: 1, message: '' },
    ];
    const after = events.reduce(foldRacer, lucas);
    expect(after.play?.board.pegs).toEqual([['R2'], ['S2', 'R1'], ['S1'], []]);
    expect(after).toMatchObject({ moves: 1, errors: 1, settled: 2 });
    const undone = foldRacer(after, { seq: 16, type: 'undone', seat: 2, n: 5, from: 1, to: 3, moves: 0 });
    expect(undone.play?.board.pegs[0]).toEqual(['R2', 'S1']);
    expect(undone.moves).toBe(0);
  });

  it('is followed by progress where the board is hidden', () => {
    const round = fold(LOBBY, COMMITTED).round;
    const [ada] = racersOf(round);
    if (ada === undefined) throw new Error('two racers');
    const after = foldRacer(ada, { seq: 11, type: 'progress', seat: 1, settled: 3, moves: 7, errors: 1 });
    expect(after).toMatchObject({ play: null, settled: 3, moves: 7, errors: 1 });
  });
});
