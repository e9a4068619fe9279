import { describe, expect, it } from 'vitest';
import { after, hintAt } from './classic';
import { Attempt } from './hanoi.svelte';
import { readMade, readShown, searchOf, sliderAt, sliderMade, sliderMax } from './hanoi';

describe('the address of a classic tower', () => {
  it('says which tower, which method and after how many moves', () => {
    const search = '?disks=64&from=2&to=1&method=cyclic&at=9223372036854775808';
    const shown = readShown(search);
    expect(shown).toEqual({ tower: { disks: 64, source: 2, target: 1 }, method: 'cyclic', made: 9223372036854775808n });
    expect(searchOf(shown)).toBe(search);
    expect(readShown(searchOf({ ...shown, made: 0n })).made).toBe(0n);
  });

  it.each(['', '?disks=65', '?disks=-1&from=0', '?disks=7.5&to=4', '?from=2&to=2', '?method=magic', '?at=128', '?at=x', '?disks=99999999999999999999999'])(
    'shows seven disks from 1 to 3 for %j',
    (search) => {
      expect(readShown(search)).toEqual({ tower: { disks: 7, source: 1, target: 3 }, method: 'recursive', made: 0n });
    },
  );
});

describe('the moves to go to', () => {
  const tower = { disks: 64, source: 1, target: 3 } as const;

  it('are read as people write them, and refused with what would be right', () => {
    expect(readMade(' 18,446,744,073,709,551,615 ', tower)).toBe(2n ** 64n - 1n);
    expect(readMade('0', tower)).toBe(0n);
    for (const text of ['', '-1', 'ten', '18446744073709551616']) {
      expect(readMade(text, tower)).toBe('Give a whole number from 0 to 18,446,744,073,709,551,615.');
    }
  });

  it('are all on the slider of a small tower, and both ends on that of a large one', () => {
    for (let made = 0n; made <= 31n; made += 1n) expect(sliderMade(sliderAt(made, 31n), 31n)).toBe(made);
    const moves = 2n ** 64n - 1n;
    expect([sliderMax(31n), sliderMax(moves), sliderMax(0n), sliderAt(0n, 0n)]).toEqual([31, 10_000, 0, 0]);
    expect([sliderMade(0, moves), sliderMade(sliderMax(moves), moves)]).toEqual([0n, moves]);
    expect([sliderAt(0n, moves), sliderAt(moves / 2n, moves), sliderAt(moves, moves)]).toEqual([0, 4_999, 10_000]);
  });
});

describe('a try by hand', () => {
  const tower = { disks: 3, source: 1, target: 3 } as const;

  it('lifts, places, puts back and refuses with the reason', () => {
    const attempt = new Attempt(tower, after(tower, 0n));
    attempt.touch(2);
    expect([attempt.said, attempt.refused?.peg]).toEqual(['Peg 2 is empty: lift a disk from another one.', 2]);
    attempt.touch(1);
    expect([attempt.held, attempt.said]).toEqual([1, 'Disk 1 lifted from peg 1.']);
    attempt.putBack();
    expect([attempt.held, attempt.made]).toEqual([null, 0]);
    attempt.touch(1);
    attempt.touch(2);
    attempt.touch(1);
    attempt.touch(2);
    expect(attempt.said).toBe('Disk 2 cannot rest on disk 1: place it on an empty peg or on a larger disk.');
    expect([attempt.held, attempt.made, attempt.position]).toEqual([1, 1, [2, 1, 1]]);
  });

  it('comes to its end by its hints, and says how many moves were needless', () => {
    const attempt = new Attempt(tower, after(tower, 0n));
    attempt.touch(1);
    attempt.touch(2);
    // The wrong first move costs one: disk 1 has to go on to peg 3.
    expect(attempt.left).toBe(7n);
    attempt.ask();
    expect([attempt.hint, attempt.said]).toEqual([hintAt(attempt.position, 3), 'Hint: disk 1 from peg 2 to peg 3.']);
    for (let moves = 0; moves < 7; moves += 1) {
      expect(attempt.isDone).toBe(false);
      attempt.follow();
    }
    expect([attempt.isDone, attempt.made, attempt.said]).toEqual([true, 8, 'The tower stands on peg 3 after 8 moves, 1 more than needed.']);
    attempt.follow();
    expect(attempt.made).toBe(8);
  });

  it('from the middle needs only the rest', () => {
    const attempt = new Attempt(tower, after(tower, 6n));
    attempt.follow();
    expect(attempt.said).toBe('The tower stands on peg 3 after 1 move, the fewest there are.');
  });
});
