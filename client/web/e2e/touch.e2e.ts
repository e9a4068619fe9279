// A whole match by fingers on a phone: real touches, as the device reports them, from the invitation to the rematch.

import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { PHONE, expectNoErrors } from './browser';
import { middleOf, movesOf, pegLabels, waitForMoves, waitForRace } from './player';
import { Troupe } from './puppets';
import { stage } from './stage';

/** Two towers of two, each disk of size 1 on the wrong one: harmony in 3 transfers. */
const SWAPPED = 'R2S1/S2R1/-/- 7';
const START = ['Peg 1: Sapphire 1, Ruby 2', 'Peg 2: Ruby 1, Sapphire 2', 'Peg 3: empty', 'Peg 4: empty'];
const LIFTED = ['Peg 1: Ruby 2, Sapphire 1 in the hand', 'Peg 2: Ruby 1, Sapphire 2', 'Peg 3: empty', 'Peg 4: empty'];

const on = stage();

interface Point {
  x: number;
  y: number;
}

/** The fingers of one phone. */
class Fingers {
  readonly #page: Page;
  readonly #device: CDPSession;

  constructor(page: Page, device: CDPSession) {
    this.#page = page;
    this.#device = device;
  }

  /** All fingers that are down after this, by number. */
  async touch(type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', points: readonly (Point & { id?: number })[] = []): Promise<void> {
    await this.#device.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point) => ({ id: 0, ...point })) });
  }

  async tap(at: Point): Promise<void> {
    await this.touch('touchStart', [at]);
    await this.touch('touchEnd');
  }

  /** Down at the first point, over all the others; the finger stays there. */
  async drag(from: Point, to: Point, steps = 6): Promise<void> {
    await this.touch('touchStart', [from]);
    for (let step = 1; step <= steps; step += 1) {
      await this.touch('touchMove', [{ x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps }]);
    }
  }

  peg(number: number): Promise<Point> {
    return middleOf(this.#page, number);
  }

  /** The middle of a button, or of whatever has that text. */
  async on(name: string): Promise<Point> {
    const target = this.#page.getByRole('button', { name }).or(this.#page.getByLabel(name, { exact: true })).first();
    await target.scrollIntoViewIfNeeded();
    // What is still being loaded above it moves it.
    await target.evaluate(async (element) => {
      for (let [still, before] = [0, NaN]; still < 10; before = element.getBoundingClientRect().y) {
        await new Promise(requestAnimationFrame);
        still = element.getBoundingClientRect().y === before ? still + 1 : 0;
      }
    });
    const box = await target.boundingBox();
    if (box === null) throw new Error(`${name} is not on the page`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
}

async function waitForLabels(page: Page, labels: readonly string[]): Promise<void> {
  await expect.poll(() => pegLabels(page), { timeout: 10_000 }).toEqual(labels);
}

it('a whole match is played by fingers on a phone, and no touch does what it was not meant to', async () => {
  const ada = await on.visitor(PHONE);
  const troupe = await Troupe.gather(ada.context().browser() as never, on.server.url);
  const lucas = await troupe.player('Lucas');
  const code = await troupe.table([lucas], { blueprint: SWAPPED });
  const fingers = new Fingers(ada, await ada.context().newCDPSession(ada));
  await ada.goto(`${on.server.url}/r/${code}`);
  await fingers.tap(await fingers.on('Your name'));
  await ada.keyboard.type('Ada');
  await fingers.tap(await fingers.on('Join'));
  await lucas.ready();
  await fingers.tap(await fingers.on('I am ready'));
  await waitForRace(ada);
  await waitForLabels(ada, START);

  await harmless(ada, fingers);
  await drags(ada, fingers);
  await resets(ada, fingers);

  // To harmony by taps, the middle transfer by two fingers: one holds the disk up, the other says where to.
  await fingers.tap(await fingers.peg(1));
  await fingers.tap(await fingers.peg(3));
  await waitForMoves(ada, 1);
  const [holding, placing] = [await fingers.peg(2), await fingers.peg(1)];
  await fingers.touch('touchStart', [{ ...holding, id: 0 }]);
  await fingers.touch('touchStart', [{ ...holding, id: 0 }, { ...placing, id: 1 }]);
  await fingers.touch('touchEnd', [{ ...holding, id: 0 }]);
  await fingers.touch('touchEnd');
  await waitForMoves(ada, 2);
  await waitForLabels(ada, ['Peg 1: Ruby 1, Ruby 2', 'Peg 2: Sapphire 2', 'Peg 3: Sapphire 1', 'Peg 4: empty']);
  await fingers.tap(await fingers.peg(3));
  await fingers.tap(await fingers.peg(2));
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();

  await lucas.say({ type: 'rematch' });
  await fingers.tap(await fingers.on('Rematch'));
  await waitForRace(ada);
  await waitForLabels(ada, START);
  expect(await movesOf(ada)).toBe(0);
  expectNoErrors(ada);
});

/** A pan from beside the board over it, and a touch that the system takes away, move nothing. */
async function harmless(ada: Page, fingers: Fingers): Promise<void> {
  const [first, second] = [await fingers.peg(1), await fingers.peg(2)];
  const board = await ada.getByRole('group', { name: 'Your board' }).boundingBox();
  const above = { x: first.x, y: Math.max(1, (board?.y ?? 0) - 24) };
  await fingers.drag(above, { x: second.x, y: second.y });
  await fingers.touch('touchEnd');
  expect(await pegLabels(ada)).toEqual(START);

  // A disk that is carried when the system takes the touch away stays in the hand, and is not placed.
  await fingers.drag(first, await fingers.peg(3));
  await fingers.touch('touchCancel');
  await waitForLabels(ada, LIFTED);
  expect(await movesOf(ada)).toBe(0);
  // Its own peg would take it back if it could go nowhere else; a drop beside the table is no drop.
  await fingers.drag(first, { x: first.x, y: 2 });
  await fingers.touch('touchEnd');
  await waitForLabels(ada, LIFTED);
  await fingers.tap(await fingers.peg(3));
  await waitForMoves(ada, 1);
  await fingers.tap(await fingers.on('Undo'));
  await waitForLabels(ada, START);
}

/** A disk is carried over others to its peg, in several moves of the finger. */
async function drags(ada: Page, fingers: Fingers): Promise<void> {
  await fingers.drag(await fingers.peg(1), await fingers.peg(4), 9);
  await fingers.touch('touchEnd');
  await waitForMoves(ada, 1);
  await waitForLabels(ada, ['Peg 1: Ruby 2', 'Peg 2: Ruby 1, Sapphire 2', 'Peg 3: empty', 'Peg 4: Sapphire 1']);
}

/** A short tap does not reset, a finger that stays does. */
async function resets(ada: Page, fingers: Fingers): Promise<void> {
  const reset = await fingers.on('Reset');
  await fingers.tap(reset);
  await fingers.tap(await fingers.peg(2));
  await fingers.tap(await fingers.peg(1));
  await waitForMoves(ada, 2);
  await fingers.touch('touchStart', [reset]);
  await waitForMoves(ada, 0);
  await fingers.touch('touchEnd');
  await waitForLabels(ada, START);
}
