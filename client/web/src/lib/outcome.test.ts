import { afterAll, describe, expect, it } from 'vitest';
import { speak } from './locale.svelte';
import { figuresOf, headlineOf } from './outcome';
import type { RoundResult, SeatResult } from './protocol';

afterAll(() => speak('en'));

function seat(number: number, rank: number, more: Partial<SeatResult> & { ms?: number }): SeatResult {
  const { ms, ...rest } = more;
  const finish = ms === undefined ? null : { raw_ms: ms, credit_ms: 0, official_ms: ms };
  const base = { seat: number, rank, name: ['Ada', 'Lucas', 'Mary'][number - 1], moves: 20, errors: 0, settled: 12, stars: 0, score: 0 };
  return { ...base, gave_up: false, absent: false, flawless: true, finish, ...rest } as SeatResult;
}

const round = (...seats: SeatResult[]): RoundResult => ({ par: 21, optimum: 18, seats }) as RoundResult;
const notes = (result: RoundResult, index: number): string[] => figuresOf(result, result.seats[index] as SeatResult, 12).map(({ note }) => note);

describe('the headline', () => {
  const won = round(seat(1, 1, { ms: 40_000 }), seat(2, 2, { ms: 41_000 }));

  it('is the winner’s own to them, and names the winner to all others', () => {
    expect([1, 2, null].map((own) => headlineOf(won, own))).toEqual(['Spire Restored!', 'Ada restored the Spire', 'Ada restored the Spire']);
  });

  it('says no more than is true where nobody came to harmony, or two are first', () => {
    const led = round(seat(1, 1, {}), seat(2, 2, { gave_up: true }));
    expect([1, 2].map((own) => headlineOf(led, own))).toEqual(['You are first', 'Ada is first']);
    const shared = round(seat(1, 1, { ms: 40_000 }), seat(2, 1, { ms: 40_000 }), seat(3, 3, {}));
    expect([1, 3].map((own) => headlineOf(shared, own))).toEqual(['Spire Restored!', 'A shared first place']);
    expect(headlineOf(round(), 1)).toBe('The round is over');
  });

  it('speaks the language of the page', async () => {
    await speak('de');
    expect(headlineOf(won, 2)).toBe('Ada hat die Spire erneuert');
    await speak('en');
  });
});

describe('the figures', () => {
  it('measure a time by the best of the others', () => {
    const result = round(seat(1, 1, { ms: 40_000 }), seat(2, 2, { ms: 42_310 }), seat(3, 3, { ms: 130_000 }));
    expect([0, 1, 2].map((index) => notes(result, index)[0])).toEqual(['2.31 s ahead', '+2.31 s behind', '+1:30 behind']);
  });

  it('measure moves by the optimum and par', () => {
    const of = (moves: number): string | undefined => notes(round(seat(1, 1, { ms: 1, moves })), 0)[1];
    expect([18, 19, 21, 24].map(of)).toEqual(['as short as can be', '2 under par', 'at par', '3 over par']);
  });

  it('say why there is no time', () => {
    const result = round(seat(1, 1, { settled: 7 }), seat(2, 2, { gave_up: true }), seat(3, 3, { absent: true }));
    expect([0, 1, 2].map((index) => notes(result, index)[0])).toEqual(['7 of 12 settled', 'gave up', 'was not there']);
    // Nobody who did not finish is praised for what they did not do.
    expect(notes(result, 0).slice(1)).toEqual(['', '', '']);
  });
});
