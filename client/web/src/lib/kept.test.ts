import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type KeptBoard, MOST, keepBoards, keptBoards, keyOf, ofDay, ofLesson, ofSession, ofStage } from './kept';
import type { Solo, StageInfo, View } from './protocol';

const BOARD = 'R2S1/S2R1/-/- 7';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  });
});

function board(solo: Solo): KeptBoard {
  return { solo, preset: null, board: BOARD, optimum: 3, par: 4, name: '', idea: '' };
}

const shuffled = (seed: number): KeptBoard => board({ mode: 'shuffle', seed: String(seed) });

function session(solo: Solo, isOver = false, isShown = true): View {
  const round = { board: isShown ? BOARD : null, optimum: 3, par: 4, result: isOver ? {} : null };
  return { options: { solo, preset: 'standard' }, round } as unknown as View;
}

describe('the boards of this device', () => {
  it('come back as they were kept, the last one first, each once', () => {
    keepBoards([shuffled(1)]);
    keepBoards([shuffled(2)]);
    keepBoards([shuffled(1)]);
    expect(keptBoards().map(keyOf)).toEqual(['shuffle-1', 'shuffle-2']);
    expect(keptBoards()[0]).toEqual(shuffled(1));
  });

  it('are so many of each mode: many of one push out none of another', () => {
    keepBoards([board({ mode: 'stage', stage: 1 }), board({ mode: 'lesson', lesson: 1 })]);
    for (let seed = 0; seed <= MOST; seed += 1) keepBoards([shuffled(seed)]);
    const keys = keptBoards().map(keyOf);
    expect(keys.filter((key) => key.startsWith('shuffle-'))).toHaveLength(MOST);
    expect(keys).not.toContain('shuffle-0');
    expect(keys).toContain(`shuffle-${MOST}`);
    expect(keys).toContain('stage-1');
    expect(keys).toContain('lesson-1');
  });

  it('keep the name that one page knew when another one does not', () => {
    keepBoards([ofStage({ stage: 3, name: 'Foundation Stone', idea: 'Base first.', board: BOARD, optimum: 3, par: 4 } as StageInfo)]);
    const seen = ofSession(session({ mode: 'stage', stage: 3 }));
    keepBoards(seen === null ? [] : [seen]);
    expect(keptBoards()).toEqual([{ ...board({ mode: 'stage', stage: 3 }), name: 'Foundation Stone', idea: 'Base first.' }]);
  });

  it('are none where the store holds something else, or nothing can be stored', () => {
    stored.set('sprint.boards', '{');
    expect(keptBoards()).toEqual([]);
    stored.set('sprint.boards', JSON.stringify([1, null, { ...shuffled(1), board: 7 }, { ...shuffled(1), board: 'no board' }, { ...shuffled(1), solo: { mode: 'x' } }, shuffled(2)]));
    expect(keptBoards().map(keyOf)).toEqual(['shuffle-2']);
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => { throw new Error('full'); } });
    expect(() => keepBoards([shuffled(3)])).not.toThrow();
  });
});

describe('a session', () => {
  it('is kept once its board is shown', () => {
    const solo = { mode: 'shuffle', seed: 'ab' } as const;
    expect(ofSession(session(solo, false, false))).toBeNull();
    expect(ofSession(session(solo))).toEqual({ ...board(solo), preset: 'standard' });
    expect(ofSession({ options: {}, round: { board: BOARD } } as unknown as View)).toBeNull();
  });

  it('of the one rated try of a day is kept only once it is over, as practice', () => {
    const solo = { mode: 'daily', day: '2026-11-30', commitment: 'c0', practice: false } as const;
    expect(ofSession(session(solo))).toBeNull();
    expect(ofSession(session(solo, true))?.solo).toEqual({ ...solo, practice: true });
    expect(ofSession(session({ ...solo, practice: true }))?.solo).toEqual({ ...solo, practice: true });
  });
});

it('a lesson and a day that is over are kept from their pages', () => {
  const lesson = ofLesson({ lesson: 2, name: 'Like upon like', teaches: 'Spectra.', board: BOARD, optimum: 3, steps: [] });
  expect([keyOf(lesson), lesson.name, lesson.par]).toEqual(['lesson-2', 'Like upon like', null]);
  const promise = { day: '2026-11-29', preset: 'expert', commitment: 'c0', committed_at_ms: 0, ends_at_ms: 0 } as const;
  const day = ofDay({ promise, deal_version: 1, server_seed: '', redeals: 0, board: BOARD, optimum: 3, par: 4 });
  expect([keyOf(day), day.preset, day.par]).toEqual(['daily-2026-11-29', 'expert', 4]);
});
