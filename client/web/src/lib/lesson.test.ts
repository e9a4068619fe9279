import { describe, expect, it } from 'vitest';
import { parseBoard } from './board';
import { doneAfter, doneOnSight, isReached } from './lesson';
import { type Act, type Deed, type Play, applied, judge, newPlay } from './play';
import type { Goal, StepInfo } from './protocol';

/** The deeds of transfers such as `1-3` in a relaxed house, each with the play before and after it. */
function played(board: string, ...line: string[]): { before: Play; deed: Deed; after: Play }[] {
  let play = newPlay(parseBoard(board));
  const acts = line.flatMap((transfer): Act[] => {
    const [from = 0, to = 0] = transfer.split('-').map(Number);
    return [
      { type: 'lift', peg: from },
      { type: 'place', peg: to },
    ];
  });
  return acts.map((act) => {
    const forecast = judge(play, act, 'relaxed');
    if (forecast.kind !== 'deed') throw new Error(`${JSON.stringify(act)} is refused`);
    const before = play;
    play = applied(play, forecast.deed);
    return { before, deed: forecast.deed, after: play };
  });
}

/** After which of the deeds, from 1, the goal is reached for the first time; 0 if after none. */
function reachedAt(goal: Goal, deeds: ReturnType<typeof played>): number {
  return 1 + deeds.findIndex(({ before, deed, after }) => isReached(goal, before, deed, after));
}

describe('a goal', () => {
  it('of a refusal is reached by the placement that this very law forbids', () => {
    // Lesson 1: Ruby 3 on the smaller Ruby 2. Lesson 2: Ruby 1 on Sapphire 2. Lesson 3: a second disk where one has room.
    const size = played('R1R3/R2/- 7', '1-2');
    const spectrum = played('S3R1/R3S2/- 7', '1-2');
    const capacity = played('R2R1/R3/- 2,1,3', '1-2');
    const laws = ['size', 'spectrum', 'capacity'] as const;
    const reached = [size, spectrum, capacity].map((deeds) => laws.map((law) => reachedAt({ goal: 'refused', law }, deeds)));
    expect(reached).toEqual([[2, 0, 0], [0, 2, 0], [0, 0, 2]]);
  });

  it('of a refusal is not reached by a legal placement', () => {
    expect(reachedAt({ goal: 'refused', law: 'size' }, played('R1R3/R2/- 7', '1-3', '2-3'))).toBe(0);
  });

  it('of an emptied peg is reached by the transfer that takes its last disk', () => {
    const deeds = played('R2S3/S2R1/R3/S1/- 7', '1-5', '1-3', '2-1');
    expect(reachedAt({ goal: 'emptied' }, deeds)).toBe(4);
    // A peg that was empty from the start is no peg that was emptied.
    expect(reachedAt({ goal: 'emptied' }, deeds.slice(0, 3))).toBe(0);
  });

  it('of settled disks is reached once so many lie where their towers will stand', () => {
    const deeds = played('R1S3R2/S1R3S2/-/- 7', '1-3', '1-4', '2-4');
    expect(reachedAt({ goal: 'settled', disks: 1 }, deeds)).toBe(4);
    expect(reachedAt({ goal: 'settled', disks: 2 }, deeds)).toBe(6);
    // Ruby 3 is still under nothing but over Sapphire 1: it is no base yet.
    expect(reachedAt({ goal: 'settled', disks: 3 }, deeds)).toBe(0);
  });

  it('of harmony counts the transfers of the attempt where it says how many', () => {
    const shortest = played('R1R3/R2/- 7', '1-3', '2-3', '1-3');
    const longer = played('R1R3/R2/- 7', '1-3', '2-3', '3-2', '2-3', '1-3');
    const any: Goal = { goal: 'harmony', within: null };
    const three: Goal = { goal: 'harmony', within: 3 };
    expect([any, three].map((goal) => reachedAt(goal, shortest))).toEqual([6, 6]);
    expect([any, three].map((goal) => reachedAt(goal, longer))).toEqual([10, 0]);
  });
});

describe('the steps of a lesson', () => {
  const STEPS: StepInfo[] = [
    { say: 'Try it.', goal: { goal: 'refused', law: 'size' } },
    { say: 'A base.', goal: { goal: 'settled', disks: 1 } },
    { say: 'Finish.', goal: { goal: 'harmony', within: null } },
  ];

  function doneBehind(deeds: ReturnType<typeof played>): number[] {
    let done = 0;
    return deeds.map(({ before, deed, after }) => (done = doneAfter(STEPS, done, before, deed, after)));
  }

  it('are done in order, and one deed ends as many as it reaches', () => {
    expect(doneBehind(played('R1R3/R2/- 7', '1-2', '1-3', '2-3', '1-3'))).toEqual([0, 1, 1, 2, 2, 2, 2, 3]);
    // The base stands from the start: the refusal ends both steps.
    expect(doneBehind(played('R3/R1/R2 7', '3-2'))).toEqual([0, 2]);
  });

  it('wait for the first: harmony before it ends none of them', () => {
    expect(doneBehind(played('R1R3/R2/- 7', '1-3', '2-3', '1-3')).at(-1)).toBe(0);
  });

  it('are done by what the board shows where the page was not there to see it, but for those that leave no trace', () => {
    const deeds = played('R1R3/R2/- 7', '1-3', '2-3');
    const based = deeds[1]?.after;
    if (based === undefined) throw new Error('nothing was played');
    // Nobody can see whether the refusal was tried.
    expect(doneOnSight(STEPS, 0, based)).toBe(0);
    expect(doneOnSight(STEPS, 1, based)).toBe(2);
    const whole = played('R1R3/R2/- 7', '1-3', '2-3', '1-3').at(-1)?.after ?? based;
    expect(doneOnSight(STEPS, 1, whole)).toBe(3);
    // Before the first transfer nothing was done, however the board stands.
    expect(doneOnSight(STEPS, 1, newPlay(parseBoard('R3/R1/R2 7')))).toBe(1);
  });
});
