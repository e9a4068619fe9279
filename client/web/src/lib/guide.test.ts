import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api';
import { findWay } from './api/solo';
import { parseBoard } from './board';
import { Guide } from './guide.svelte';
import { wasHelped } from './helped';
import { isHarmony } from './legality';
import { type Act, type Play, applied, judge, newPlay } from './play';
import type { Way } from './protocol';
import type { Room } from './room.svelte';

vi.mock('./api/solo', async (original) => ({ ...(await original<typeof import('./api/solo')>()), findWay: vi.fn() }));

/** A room that does what it is asked at once. */
class FakeRoom {
  code = '7KQM01';
  own: Play = newPlay(parseBoard('R2S1/S2R1/-/- 7'));
  view = { round: { round_id: 'round' } };
  notice: { text: string } | null = null;
  acts: Act[] = [];

  get canAct(): boolean {
    return !isHarmony(this.own.board);
  }

  act(act: Act): unknown {
    const forecast = judge(this.own, act, 'guarded');
    if (forecast.kind !== 'deed') return forecast;
    this.acts.push(act);
    this.own = applied(this.own, forecast.deed);
    return forecast;
  }

  say(_: string, text: string): void {
    this.notice = { text };
  }
}

const WAY: Way = { ply: 0, transfers: ['1-3', '2-1', '3-2'] };

let room: FakeRoom;
let guide: Guide;

beforeEach(() => {
  vi.useFakeTimers();
  room = new FakeRoom();
  guide = new Guide(room as unknown as Room, () => 'token');
  vi.mocked(findWay).mockReset().mockResolvedValue(WAY);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a guide', () => {
  it('points at the first transfer and leaves it to the player', async () => {
    await guide.ask();
    expect(guide.hint).toEqual([1, 3]);
    expect(room.notice?.text).toBe('Hint: Sapphire 1 from peg 1 to peg 3. 3 transfers to harmony.');
    expect(room.acts).toEqual([]);
    expect(wasHelped('round')).toBe(false);
  });

  it('plays the whole way by lifts and placements, and the board counts as helped', async () => {
    await guide.show();
    expect(wasHelped('round')).toBe(true);
    await vi.runAllTimersAsync();
    expect(room.acts).toHaveLength(6);
    expect(isHarmony(room.own.board)).toBe(true);
    expect(guide.isShowing).toBe(false);
    expect(room.notice).toBeNull();
  });

  it('goes on from a disk that is in the hand already', async () => {
    room.act({ type: 'lift', peg: 1 });
    vi.mocked(findWay).mockResolvedValue({ ...WAY, ply: 1 });
    await guide.show();
    await vi.runAllTimersAsync();
    expect(isHarmony(room.own.board)).toBe(true);
    expect(room.acts).toHaveLength(6);
  });

  it('stops where it is told to, and where another act came in between', async () => {
    await guide.show();
    await vi.advanceTimersToNextTimerAsync();
    expect(room.acts).toEqual([{ type: 'lift', peg: 1 }]);
    guide.stop();
    await vi.runAllTimersAsync();
    expect(room.acts).toHaveLength(1);
    expect(room.notice?.text).toBe('Stopped: the board is yours.');

    room.act({ type: 'place', peg: 3 });
    vi.mocked(findWay).mockResolvedValue({ ply: 2, transfers: ['2-1', '3-2'] });
    await guide.show();
    room.act({ type: 'undo' });
    await vi.runAllTimersAsync();
    expect(guide.isShowing).toBe(false);
    expect(room.acts).toHaveLength(3);
  });

  it('asks again for a way that is behind the own acts, and shows none that stays behind', async () => {
    room.act({ type: 'lift', peg: 1 });
    vi.mocked(findWay).mockResolvedValueOnce(WAY).mockResolvedValue({ ...WAY, ply: 1 });
    const asked = guide.ask();
    await vi.runAllTimersAsync();
    await asked;
    expect(findWay).toHaveBeenCalledTimes(2);
    expect(guide.hint).toEqual([1, 3]);

    vi.mocked(findWay).mockResolvedValue(WAY);
    const late = guide.show();
    await vi.runAllTimersAsync();
    await late;
    expect(room.acts).toHaveLength(1);
    expect(room.notice?.text).toBe('The board has changed meanwhile: ask again.');
  });

  it.each(['ask', 'show'] as const)('wants another disk out of the hand first: %s', async (help) => {
    room.act({ type: 'lift', peg: 2 });
    vi.mocked(findWay).mockResolvedValue({ ...WAY, ply: 1 });
    await guide[help]();
    await vi.runAllTimersAsync();
    expect(room.acts).toHaveLength(1);
    expect(guide.hint).toBeNull();
    expect(room.notice?.text).toBe('Place Ruby 1 first, then ask again.');
  });

  it('tells of a lost board until an undo has mended it', async () => {
    room.act({ type: 'lift', peg: 1 });
    room.act({ type: 'place', peg: 3 });
    vi.mocked(findWay).mockResolvedValue({ ply: 2, transfers: null });
    await guide.show();
    expect(guide.lostAt).toBe(2);
    guide.follow();
    expect(findWay).toHaveBeenCalledTimes(1);

    vi.mocked(findWay).mockResolvedValue({ ...WAY, ply: 3 });
    room.act({ type: 'undo' });
    guide.follow();
    await vi.runAllTimersAsync();
    expect(guide.lostAt).toBeNull();
    expect(room.notice?.text).toBe('Harmony can be reached again, in 3 transfers.');
    room.act({ type: 'lift', peg: 1 });
    guide.follow();
    expect(room.notice).toBeNull();
  });

  it('says that a search was too long, and asks about a lost board no more than once a position', async () => {
    vi.mocked(findWay).mockRejectedValue(new ApiError(503, 'busy', 'The search takes too long.'));
    guide.lostAt = 7;
    room.own = { ...room.own, ply: 8 };
    for (let looks = 0; looks < 3; looks += 1) {
      guide.follow();
      await vi.runAllTimersAsync();
    }
    expect(findWay).toHaveBeenCalledTimes(1);
    expect(room.notice?.text).toBe('The search takes too long. Make a few transfers, or undo some, and ask again.');
  });
});
