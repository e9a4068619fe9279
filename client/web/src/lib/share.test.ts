import { afterAll, expect, it } from 'vitest';
import { parseBoard } from './board';
import { speak } from './locale.svelte';
import type { RoundResult, SeatResult } from './protocol';
import { shareText } from './share';

afterAll(() => speak('en'));

/** Three spectra of four disks. */
const BOARD = parseBoard('R4R3S4S3/S2S1E4E3/E2E1R2R1/- 7');

function seat(number: number, rank: number, settled: number, official_ms: number | null): SeatResult {
  const finish = official_ms === null ? null : { raw_ms: official_ms, credit_ms: 0, official_ms };
  return { seat: number, rank, settled, finish, name: ['Ada', 'Lucas', 'Mary', 'Tom'][number - 1], moves: number * 10 } as SeatResult;
}

const RESULT = { par: 21, optimum: 18, seats: [seat(2, 1, 12, 42_310), seat(1, 2, 12, 61_002), seat(3, 3, 8, null), seat(4, 4, 3, null)] } as RoundResult;

it('a result to send on says who came where, how far, and where to see it', async () => {
  await speak('en');
  expect(shareText(RESULT, BOARD, 'Standard', 'https://spire.example/m/1').split('\n')).toEqual([
    'Technomancer Sprint · Standard',
    '🥇 🟥🟦🟩 Lucas · 0:42.310 · 20 moves',
    '🥈 🟥🟦🟩 Ada · 1:01.002 · 10 moves',
    // 8 of 12 disks are two spectra of three, 3 of 12 are none.
    '🥉 🟥🟦⬛ Mary · 8/12',
    '4. ⬛⬛⬛ Tom · 3/12',
    'Par 21, optimum 18',
    'https://spire.example/m/1',
  ]);
});

it('says it in the language of the page, and no optimum that is not proven', async () => {
  await speak('de');
  const text = shareText({ ...RESULT, optimum: null, par: null }, BOARD, 'Standard', 'https://spire.example/m/1');
  expect(text).toContain('Lucas · 0:42.310 · 20 Züge\n');
  expect(text).not.toMatch(/Par|Optimum/);
});
