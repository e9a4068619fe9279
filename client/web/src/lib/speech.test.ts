import { afterEach, describe, expect, it } from 'vitest';
import { parseBoard } from './board';
import { speak } from './locale.svelte';
import { sayDeed, sayPeg } from './speech';

const BOARD = parseBoard('R2S1/S2/-/R1 2,7,7,2 2c3@t2,3s@m5 R1');

afterEach(() => speak('en'));

describe('a peg in words', () => {
  it('tells its disks from the top down, the hand, what holds it and whose home it is', () => {
    expect(sayPeg(BOARD, 1, 0, null)).toBe('Peg 1: Sapphire 1, Ruby 2, full, home of Ruby');
    expect(sayPeg(BOARD, 2, 0, 2)).toBe('Peg 2: empty, Sapphire 2 in the hand, 3 places collared until 2 towers stand');
    expect(sayPeg(BOARD, 3, 4, null)).toBe('Peg 3: empty, sealed for 1 more move');
    expect(sayPeg(BOARD, 3, 5, null)).toBe('Peg 3: empty');
  });

  it('speaks the language that was chosen', async () => {
    await speak('de');
    expect(sayPeg(BOARD, 1, 0, 1)).toBe('Stab 1: Rubin 2, Saphir 1 in der Hand, Heimat von Rubin');
    expect(sayPeg(BOARD, 3, 3, null)).toBe('Stab 3: leer, versiegelt, noch 2 Züge lang');
    expect(sayDeed({ type: 'transferred', from: 1, to: 3 }, BOARD)).toBe('Saphir 1 auf Stab 3.');
  });
});
