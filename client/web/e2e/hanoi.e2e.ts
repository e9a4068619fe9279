// The classic tower as a visitor meets it: played out, stepped, scrubbed and jumped through, and played by hand.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { byTaps, middleOf, pegLabels, tabTo } from './player';
import { stage } from './stage';

const on = stage();

/** What a screen reader is told of the pegs. */
async function loads(page: Page): Promise<string[]> {
  return page.locator('[data-load]').allTextContents();
}

async function waitForProgress(page: Page, progress: string): Promise<void> {
  await page.locator('[data-progress]').filter({ hasText: new RegExp(`^${progress}$`) }).waitFor();
}

it('by keyboard alone a tower of three is played out, stepped, scrubbed, and played by hand with hints to its end', async () => {
  const page = await on.visitor(DESKTOP);
  await page.goto(on.server.url);
  await tabTo(page, 'To the tower');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The classic tower' }).waitFor();
  await shoot(page, 'hanoi');
  await expectAccessible(page);

  await tabTo(page, 'Disks');
  for (let fewer = 0; fewer < 4; fewer += 1) await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => location.search === '?disks=3&from=1&to=3&method=recursive');
  expect(await loads(page)).toEqual(['Peg 1: disks 1 to 3', 'Peg 2: empty', 'Peg 3: empty']);

  // Steps, there and back.
  await tabTo(page, 'Copy link');
  await page.keyboard.press('ArrowRight');
  await waitForProgress(page, '1 of 7');
  expect(await page.locator('[data-why]').textContent()).toContain('Disk 1 from peg 1 to peg 3.');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await waitForProgress(page, '4 of 7');
  expect(await loads(page)).toEqual(['Peg 1: empty', 'Peg 2: disks 1 to 2', 'Peg 3: disk 3']);
  await page.keyboard.press('ArrowLeft');
  await waitForProgress(page, '3 of 7');
  await page.keyboard.press('Home');
  await waitForProgress(page, '0 of 7');

  // It plays itself to the end, as fast as it is told.
  for (let faster = 0; faster < 3; faster += 1) await page.keyboard.press('+');
  await tabTo(page, 'Play');
  await page.keyboard.press('Enter');
  await waitForProgress(page, '7 of 7');
  expect(await loads(page)).toEqual(['Peg 1: empty', 'Peg 2: empty', 'Peg 3: disks 1 to 3']);
  await page.getByRole('button', { name: 'Play' }).waitFor();

  // Scrubs with the slider's own keys, and jumps.
  await tabTo(page, 'Moves made');
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => document.querySelector('[data-progress]')?.textContent !== '7 of 7');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Home');
  await waitForProgress(page, '0 of 7');
  await page.keyboard.press('Tab');
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Give a whole number from 0 to 7.' }).waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await waitForProgress(page, '2 of 7');

  // By hand from there: a move that is not allowed, one's own move, then hints to the end.
  await tabTo(page, 'Go');
  await page.keyboard.press('h');
  await page.getByText('5 left at best').waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await page.getByText('Disk 3 cannot rest on disk 2: place it on an empty peg or on a larger disk.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByText('Hint: disk 1 from peg 3 to peg 2.').waitFor();
  await shoot(page, 'hanoi-hint');
  await expectAccessible(page);
  await page.keyboard.press('3');
  await page.keyboard.press('2');
  await page.getByText('4 left at best').waitFor();
  for (let left = 4; left > 0; left -= 1) {
    await page.keyboard.press('?');
    const hint = /from peg (\d) to peg (\d)/.exec((await page.locator('[data-said]').textContent()) ?? '');
    await page.keyboard.press(hint?.[1] ?? '');
    await page.keyboard.press(hint?.[2] ?? '');
    await page.getByText(`${left - 1} left at best`).waitFor();
  }
  await page.getByText('The tower stands on peg 3 after 5 moves, the fewest there are.').waitFor();
  expect(await pegLabels(page)).toEqual(['Peg 1: empty', 'Peg 2: empty', 'Peg 3: disks 1 to 3']);
  expectNoErrors(page);
});

it('a link leads to any position of 64 disks at once, and all four methods say why', async () => {
  const page = await on.visitor(PHONE);
  await page.goto(`${on.server.url}/hanoi?disks=64&from=1&to=3&method=recursive&at=9223372036854775808`);
  await waitForProgress(page, '9,223,372,036,854,775,808 of 18,446,744,073,709,551,615');
  expect(await loads(page)).toEqual(['Peg 1: empty', 'Peg 2: disks 1 to 63', 'Peg 3: disk 64']);
  expect(await page.locator('[data-time]').textContent()).toBe('585 billion years, 42 ages of the universe');
  for (const [method, reason] of [
    ['Recursive', 'Disks 1 to 64 go 1-3: 1 to 63 wait on peg 2, now 64 goes, then they follow.'],
    ['Smallest disk', 'An even move: disk 1 rests on peg 2; between pegs 1 and 3 only disk 64 can go.'],
    ['Peg pairs', 'Pair 2 of 3 is pegs 1 and 3: between them only disk 64 can go.'],
    ['Odd and even', 'Disk 64 is even and goes round 1-3-2: disk 1 has just moved, and no other can.'],
  ] as const) {
    await page.getByRole('radio', { name: method }).check({ force: true });
    await page.locator('[data-why]').filter({ hasText: reason }).waitFor();
  }
  await shoot(page, 'hanoi-64');
  await expectAccessible(page);
  expectNoErrors(page);
});

it('on a phone the tower is played by taps and by dragging', async () => {
  const page = await on.visitor(PHONE);
  await page.goto(`${on.server.url}/hanoi?disks=2&from=2&to=1`);
  await page.getByRole('radio', { name: 'By hand' }).check({ force: true });
  await byTaps(page, 2);
  await byTaps(page, 3);
  await page.getByText('2 left at best').waitFor();
  const [from, to] = [await middleOf(page, 2), await middleOf(page, 1)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await page.getByText('1 left at best').waitFor();
  await page.getByRole('button', { name: 'Best move' }).tap();
  await page.getByText('The tower stands on peg 1 after 3 moves, the fewest there are.').waitFor();
  await shoot(page, 'hanoi-hand');
  await expectAccessible(page);
  expectNoErrors(page);
});
