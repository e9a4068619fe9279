import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setMuted } from './emotes.svelte';
import type { ClientMessage, PlayView, ServerMessage, View } from './protocol';
import { Room } from './room.svelte';

const BOARD = 'R2S1/S2R1/-/- 7';

/** A WebSocket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (last === undefined) throw new Error('nobody has connected');
    return last;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  says(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  ends(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code, reason: '' });
  }
}

function playView(seat: number): PlayView {
  const figures = { moves: 0, errors: 0, settled: 2, flawless: true, finish: null, gave_up: false };
  return { seat, board: BOARD, held: null, ply: 0, transfers: 0, ...figures };
}

function racing(plays: PlayView[] = [playView(1), playView(2)]): View {
  const seat = { player: '', bot: false, present: true, ready: false, left: false, taken: 0 };
  return {
    code: '7KQM01',
    options: {
      seats: 2,
      preset: 'standard',
      blueprint: BOARD,
      time_limit_s: null,
      rounds: 1,
      contest: 'fastest',
      placement: 'strict',
      rated: false,
      public: false,
      opponents: 'boards',
      spectators: true,
      spectator_delay_s: 0,
    },
    phase: 'racing',
    host: 1,
    seats: [
      { seat: 1, name: 'Ada', ...seat },
      { seat: 2, name: 'Lucas', ...seat },
    ],
    ranking: null,
    round: {
      round: 1,
      round_id: 'round',
      commitment: 'c0',
      in_ms: 0,
      clock_ms: 0,
      limit_ms: 300_000,
      credit_ms: 0,
      board: BOARD,
      optimum: 3,
      par: 4,
      interrupted: false,
      plays,
      result: null,
      reveal: null,
    },
  };
}

/** A room in mid-race, in seat 1, with the next event numbered 11. */
function inRace(): Room {
  const room = new Room('7KQM01', 'token', 'player');
  FakeSocket.last.open();
  FakeSocket.last.says({ type: 'welcome', seq: 10, seat: 1, n: 0, state: racing() });
  return room;
}

/** A room before its first round, in seat 1. */
function inLobby(): Room {
  const room = new Room('7KQM01', 'token', 'player');
  FakeSocket.last.open();
  FakeSocket.last.says({ type: 'welcome', seq: 10, seat: 1, n: 0, state: { ...racing(), phase: 'lobby', round: null } });
  return room;
}

/** What was sent after the hello. */
function acts(): ClientMessage[] {
  return FakeSocket.last.sent.slice(1);
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'spire.example' });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a connection', () => {
  it('says hello as a player, by the room of the address', () => {
    inRace();
    expect(FakeSocket.last.url).toBe('ws://spire.example/ws/v1/rooms/7KQM01');
    expect(FakeSocket.last.protocol).toBe('sprint.v1');
    expect(FakeSocket.last.sent[0]).toEqual({ type: 'hello', token: 'token', role: 'player' });
  });

  it('is made anew when it is lost, and sends again what was not judged', () => {
    const room = inRace();
    room.touch(1);
    room.touch(3);
    FakeSocket.last.ends(1006);
    expect(room.status).toBe('lost');
    expect(room.canAct).toBe(false);
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    // Until the server has said what it has judged, no number is sure.
    room.touch(2);
    expect(acts()).toEqual([]);
    const held = { ...playView(1), held: 1, ply: 1 };
    FakeSocket.last.says({ type: 'welcome', seq: 11, seat: 1, n: 1, state: racing([held, playView(2)]) });
    expect(acts()).toEqual([{ type: 'place', n: 2, ply: 1, peg: 3 }]);
    expect(room.own?.board.pegs[2]).toEqual(['S1']);
  });

  it('is made anew when an event is missing', () => {
    inRace();
    const first = FakeSocket.last;
    first.says({ seq: 12, type: 'disconnected', seat: 2 });
    expect(first.readyState).toBe(3);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('is not tried again where that cannot help, and says why', () => {
    const room = inRace();
    FakeSocket.last.says({ type: 'refused', code: 'no_seat', message: 'no seat is free' });
    FakeSocket.last.ends(4403);
    vi.advanceTimersByTime(60_000);
    expect(room.ending).toEqual({ code: 'no_seat', message: 'no seat is free' });
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('that was replaced only watches, even after the line was lost', () => {
    const room = inRace();
    FakeSocket.last.says({ type: 'replaced' });
    room.touch(1);
    expect(acts()).toEqual([]);
    FakeSocket.last.ends(1006);
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ type: 'hello', token: 'token', role: 'spectator' }]);
  });

  it('that was replaced and loses its line waits for the end of the race, and can take the seat back', () => {
    const room = inRace();
    FakeSocket.last.says({ type: 'replaced' });
    FakeSocket.last.ends(1006);
    for (let tries = 2; tries <= 4; tries += 1) {
      vi.advanceTimersByTime(60_000);
      expect(FakeSocket.all).toHaveLength(tries);
      FakeSocket.last.open();
      FakeSocket.last.says({ type: 'refused', code: 'racing', message: 'you race in this room' });
      FakeSocket.last.ends(4403);
      expect([room.ending, room.isReplaced, room.isHushed, room.notice]).toEqual([null, true, true, null]);
    }
    room.takeBack();
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ type: 'hello', token: 'token', role: 'player' }]);
  });

  it('that was replaced in the lobby says that its player races elsewhere, until it is told anew', () => {
    const room = inLobby();
    FakeSocket.last.says({ type: 'replaced' });
    FakeSocket.last.says({ type: 'snapshot', seq: 10, state: { ...racing(), phase: 'lobby', round: null } });
    expect(room.isHushed).toBe(false);
    FakeSocket.last.says({ type: 'refused', code: 'racing', message: 'you race in this room' });
    expect([room.isHushed, room.notice]).toEqual([true, null]);
    FakeSocket.last.says({ type: 'snapshot', seq: 30, state: { ...racing(), phase: 'over' } });
    expect(room.isHushed).toBe(false);
    // The refusal was of that race alone: the end of the room is the end.
    FakeSocket.last.ends(1000);
    vi.advanceTimersByTime(60_000);
    expect([room.ending?.code, FakeSocket.all.length]).toEqual(['closed', 1]);
  });

  it.each(['dealing', 'countdown', 'paused'] as const)('that was replaced in a round that is %s says so at once', (phase) => {
    const room = new Room('7KQM01', 'token', 'player');
    FakeSocket.last.open();
    FakeSocket.last.says({ type: 'welcome', seq: 10, seat: 1, n: 0, state: { ...racing(), phase } });
    FakeSocket.last.says({ type: 'replaced' });
    expect(room.isHushed).toBe(true);
  });

  it('of who comes anew to watch the own race is refused for good, in words', () => {
    const room = new Room('ABCDEF', 'token', 'spectator');
    FakeSocket.last.open();
    FakeSocket.last.says({ type: 'refused', code: 'racing', message: 'you race in this room' });
    FakeSocket.last.ends(4403);
    vi.advanceTimersByTime(60_000);
    expect(room.ending).toEqual({ code: 'racing', message: 'you race in this room' });
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe('an act', () => {
  it('shows before the server has answered, and counts once when it has', () => {
    const room = inRace();
    room.touch(1);
    expect(room.own?.held).toBe(1);
    room.touch(3);
    expect(room.ownRacer?.moves).toBe(1);
    FakeSocket.last.says({ seq: 11, type: 'lifted', seat: 1, n: 1, peg: 1 });
    FakeSocket.last.says({ seq: 12, type: 'transferred', seat: 1, n: 2, from: 1, to: 3, moves: 1 });
    expect(room.own?.board.pegs).toEqual([['R2'], ['S2', 'R1'], ['S1'], []]);
    expect(room.ownRacer?.moves).toBe(1);
  });

  it('is put right when the server says otherwise', () => {
    const room = inRace();
    room.touch(1);
    FakeSocket.last.says({ type: 'refused', n: 1, code: 'time_up', message: 'the time is up' });
    expect(room.own?.held).toBeNull();
    expect(room.notice).toMatchObject({ kind: 'error', text: 'The time is up' });
  });

  it('that came too fast is sent again, a few at a time', () => {
    const room = inRace();
    for (const peg of [1, 3, 3, 4, 4, 3]) room.touch(peg);
    expect(acts()).toHaveLength(6);
    FakeSocket.last.says({ type: 'refused', n: 1, code: 'rate_limited', message: '' });
    for (const n of [2, 3, 4, 5, 6]) {
      FakeSocket.last.says({ type: 'refused', n, next: 1, code: 'out_of_order', message: '' });
    }
    expect(acts()).toHaveLength(6);
    vi.advanceTimersByTime(300);
    expect(acts().slice(6).map((act) => 'n' in act && act.n)).toEqual([1, 2, 3, 4]);
    vi.advanceTimersByTime(300);
    expect(acts().slice(10).map((act) => 'n' in act && act.n)).toEqual([5, 6]);
    expect(room.own?.board.pegs[2]).toEqual(['S1']);
  });
});

describe('a round', () => {
  it('begins with a nonce of 16 fresh bytes, and hides the last board', () => {
    const room = inRace();
    const committed = { round: 2, round_id: 'next', opens_series: true, commitment: 'c1' };
    FakeSocket.last.says({ seq: 11, type: 'committed', ...committed });
    expect(acts()).toEqual([{ type: 'nonce', nonce: expect.stringMatching(/^[0-9a-f]{32}$/) as string }]);
    expect(room.own).toBeNull();
    FakeSocket.last.says({ seq: 12, type: 'countdown_started', in_ms: 3000, credit_ms: 5 });
    expect(room.view?.phase).toBe('countdown');
  });

  it('goes on with the running number of the round before', () => {
    const room = inRace();
    room.touch(1);
    FakeSocket.last.says({ seq: 11, type: 'lifted', seat: 1, n: 1, peg: 1 });
    const committed = { round: 2, round_id: 'next', opens_series: true, commitment: 'c1' };
    FakeSocket.last.says({ seq: 12, type: 'committed', ...committed });
    FakeSocket.last.says({ type: 'start', seq: 14, state: racing() });
    room.touch(2);
    expect(acts().at(-1)).toEqual({ type: 'lift', n: 2, ply: 0, peg: 2 });
  });
});

describe('an emote', () => {
  afterEach(() => setMuted(false));

  it('stands for a moment and is said to those who do not see it', () => {
    const room = inRace();
    FakeSocket.last.says({ type: 'emote', seat: 2, emote: 'good_luck' });
    FakeSocket.last.says({ type: 'emote', seat: 2, emote: 'good_luck' });
    expect(room.emotes.map(({ seat, emote }) => [seat, emote])).toEqual([[2, 'good_luck'], [2, 'good_luck']]);
    expect(room.spoken).toBe('Lucas: Good luck!');
    vi.advanceTimersByTime(4_000);
    expect(room.emotes).toEqual([]);
    // It is no event: the next one is still the next.
    FakeSocket.last.says({ seq: 11, type: 'disconnected', seat: 2 });
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('of the others is left out where they are muted, the own is not', () => {
    const room = inRace();
    setMuted(true);
    FakeSocket.last.says({ type: 'emote', seat: 2, emote: 'hurry' });
    FakeSocket.last.says({ type: 'emote', seat: 1, emote: 'thanks' });
    expect(room.emotes.map(({ seat }) => seat)).toEqual([1]);
    expect(room.spoken).toBe('');
  });
});

describe('a host', () => {
  it('asks for what a host may do', () => {
    const room = inRace();
    room.start();
    room.kick(2, 'ben');
    room.handOver(2, 'ben');
    room.closeRoom();
    room.emote('wow');
    expect(acts()).toEqual([
      { type: 'start' },
      { type: 'kick', seat: 2, player: 'ben' },
      { type: 'hand_over', seat: 2, player: 'ben' },
      { type: 'close' },
      { type: 'emote', emote: 'wow' },
    ]);
  });

  it('who sends this player away is the reason that is told', () => {
    const room = inRace();
    FakeSocket.last.says({ type: 'error', code: 'kicked', message: 'the host has sent you away' });
    FakeSocket.last.ends(4403);
    expect(room.ending).toEqual({ code: 'kicked', message: 'the host has sent you away' });
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe('a room that is watched', () => {
  function watched(): Room {
    const room = new Room('7KQM01', 'token', 'spectator');
    FakeSocket.last.open();
    const state = racing();
    if (state.round !== null) state.round.curves = [1, 2].map((seat) => ({ seat, points: [[0, 3]] }));
    FakeSocket.last.says({ type: 'welcome', seq: 10, seat: null, n: 0, state });
    return room;
  }

  it('has the distances so far from the start, and those that follow in their place', () => {
    const room = watched();
    expect(FakeSocket.last.sent[0]).toEqual({ type: 'hello', token: 'token', role: 'spectator' });
    FakeSocket.last.says({ type: 'distance', seat: 2, clock_ms: 900, to_go: [1, 2] });
    FakeSocket.last.says({ type: 'distance', seat: 2, clock_ms: 400, to_go: 2 });
    // They are no events: the next one is still the next.
    FakeSocket.last.says({ seq: 11, type: 'disconnected', seat: 2 });
    expect(room.curves).toEqual([
      { seat: 1, points: [[0, 3]] },
      { seat: 2, points: [[0, 3], [400, 2], [900, [1, 2]]] },
    ]);
    expect(FakeSocket.all).toHaveLength(1);
    FakeSocket.last.says({ type: 'watching', viewers: 7 });
    expect(room.viewers).toBe(7);
  });

  it('begins its next round without the distances of the last one', () => {
    const room = watched();
    FakeSocket.last.says({ seq: 11, type: 'committed', round: 2, round_id: 'next', opens_series: true, commitment: 'c1' });
    expect(room.curves).toEqual([]);
  });

  it('by a page whose player races elsewhere shows nothing as it stands until it is told anew', () => {
    const room = inRace();
    FakeSocket.last.says({ type: 'replaced' });
    expect(room.isHushed).toBe(true);
    FakeSocket.last.says({ type: 'snapshot', seq: 30, state: racing() });
    expect([room.isHushed, room.isReplaced]).toEqual([false, true]);
  });
});

describe('a session alone', () => {
  /** A lesson in seat 1, with the next event numbered 11. */
  function inLesson(): Room {
    const room = new Room('7KQM01', 'token', 'player');
    const lesson = racing([playView(1)]);
    const options = { ...lesson.options, seats: 1, spectators: false, solo: { mode: 'lesson', lesson: 1 } as const };
    FakeSocket.last.open();
    FakeSocket.last.says({ type: 'welcome', seq: 10, seat: 1, n: 0, state: { ...lesson, options } });
    return room;
  }

  it('tells each own deed once the server has confirmed it, with the play before and after', () => {
    const room = inLesson();
    const told: string[] = [];
    room.onDeed = (before, deed, after) => void told.push(`${before.ply} ${deed.type} ${after.ply}`);
    room.touch(1);
    room.touch(2);
    expect(told).toEqual([]);
    FakeSocket.last.says({ seq: 11, type: 'lifted', seat: 1, n: 1, peg: 1 });
    FakeSocket.last.says({ seq: 12, type: 'returned', seat: 1, n: 2, from: 1, to: 2, message: '' });
    expect(told).toEqual(['0 lifted 1', '1 returned 1']);
  });

  it('tells own deeds, too, that the server judged while the line was lost', () => {
    const room = inRace();
    const told: string[] = [];
    room.onDeed = (_, deed) => told.push(deed.type);
    room.touch(1);
    room.touch(3);
    FakeSocket.last.ends(1006);
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    const moved = { ...playView(1), board: 'R2/S2R1/S1/- 7', ply: 2, moves: 1, transfers: 1 };
    FakeSocket.last.says({ type: 'welcome', seq: 11, seat: 1, n: 2, state: racing([moved, playView(2)]) });
    expect(told).toEqual(['lifted', 'transferred']);
    expect(acts()).toEqual([]);
  });

  it('knows that nothing costs anything in a lesson', () => {
    const room = inLesson();
    room.touch(1);
    room.touch(2);
    expect(room.own).toMatchObject({ errors: 0, held: null });
    expect(room.notice?.text).toBe('Sapphire 1 cannot rest on Ruby 1: another spectrum.');
  });

  it('gives no nonce: nobody else has a part in its board', () => {
    inLesson();
    FakeSocket.last.says({ seq: 11, type: 'committed', round: 2, round_id: 'next', commitment: 'c1', opens_series: true } as ServerMessage);
    expect(acts()).toEqual([]);
  });
});
