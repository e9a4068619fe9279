// Infinite Shuffle as a player meets it: help, the way to its end, board after board, and a board that is shared.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, pasted, shoot } from './browser';
import { byKeyboard, byTaps, movesOf, pegLabels, play, readBoard, waitForMoves, waitForRace } from './player';
import { type Transfer, solve } from './solve';
import { stage } from './stage';

const on = stage();

/** From the page of Infinite Shuffle to a board of that level. */
async function deal(page: Page, level: string): Promise<void> {
  await page.goto(`${on.server.url}/shuffle`);
  await page.getByRole('radio', { name: level }).check({ force: true });
  await page.getByRole('button', { name: 'Deal' }).click();
  await waitForRace(page);
}

function seedOf(page: Page): Promise<string | null> {
  return page.locator('[data-seed]').getAttribute('data-seed');
}

/** Waits for another board than the one of that seed. */
async function waitForAnother(page: Page, seed: string | null): Promise<void> {
  await page.waitForFunction((before) => {
    const shown = document.querySelector('[data-seed]')?.getAttribute('data-seed');
    return shown != null && shown !== before && document.querySelector('[data-peg]') !== null;
  }, seed);
}

/** Waits until the last thing that is read out is such a line. */
async function waitToHear(page: Page, line: RegExp): Promise<void> {
  await page.locator('[data-spoken]').filter({ hasText: line }).waitFor({ state: 'attached' });
}

it('a board is restored by showing the way to its end, and the next one comes at a key', async () => {
  const [page] = await on.player(DESKTOP);
  await page.goto(`${on.server.url}/shuffle`);
  await page.getByRole('heading', { name: 'Infinite Shuffle' }).waitFor();
  await shoot(page, 'shuffle');
  await expectAccessible(page);
  await deal(page, 'Initiate');
  expect(await page.locator('[data-level]').textContent()).toBe('Initiate');
  const [seed, path] = [await seedOf(page), new URL(page.url()).pathname];
  expect(seed).toMatch(/^[0-9a-f]{64}$/);
  expect(await page.locator('[data-clock]').count()).toBe(0);

  // A hint marks both pegs, is said, and leaves the transfer to the player.
  const line = solve(await readBoard(page));
  await page.keyboard.press('?');
  await page.getByText(/^Hint: \w+ \d from peg \d to peg \d\./).first().waitFor();
  expect(await page.locator('[data-hint="from"]').count()).toBe(1);
  expect(await page.locator('[data-hint="to"]').count()).toBe(1);
  const said = (await page.locator('[data-spoken]').textContent()) ?? '';
  expect(said).toContain(`${line.length} transfers to harmony`);
  await shoot(page, 'shuffle-hint');
  await expectAccessible(page);
  expect(await movesOf(page)).toBe(0);
  const [, from = 0, to = 0] = (/from peg (\d) to peg (\d)/.exec(said) ?? []).map(Number);
  await play(page, [[from, to]], byKeyboard);
  expect(await page.locator('[data-hint]').count()).toBe(0);

  // The way stops at any key, and at any press, which does nothing else.
  await page.keyboard.press('w');
  await waitForMoves(page, 2);
  await page.keyboard.press('1');
  await waitToHear(page, /^Stopped: the board is yours\.$/);
  await page.getByRole('button', { name: 'Show me the way' }).click();
  await waitToHear(page, /^The way is shown\./);
  await page.getByRole('button', { name: 'Stop' }).click();
  await waitToHear(page, /^Stopped: the board is yours\.$/);
  await page.keyboard.press('?');
  await waitToHear(page, /^(Hint: |Place .* first, then ask again)/);
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);

  await page.keyboard.press('w');
  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await page.getByText(`${line.length} is the optimum`).waitFor();
  expect(await page.locator('[data-next]').textContent()).toBe('Next: Initiate, as you chose.');
  await shoot(page, 'shuffle-end');
  await expectAccessible(page);
  await page.keyboard.press('n');
  await waitForAnother(page, seed);
  expect(new URL(page.url()).pathname).not.toBe(path);
  expect(await page.locator('[data-level]').textContent()).toBe('Initiate');
  expectNoErrors(page);
});

it('a shared link opens the very board in another browser, and the same board comes again', async () => {
  const [ada] = await on.player(DESKTOP);
  await deal(ada, 'Apprentice');
  const [labels, seed] = [await pegLabels(ada), await seedOf(ada)];
  await ada.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await ada.getByRole('button', { name: 'Copy link' }).click();
  await ada.getByText('Copied').first().waitFor();
  const link = await pasted(ada);
  expect(link).toBe(`${on.server.url}/shuffle?seed=${seed}&preset=apprentice`);

  // Who comes by it needs no name.
  const lucas = await on.visitor(PHONE);
  await lucas.goto(link);
  await waitForRace(lucas);
  expect(await pegLabels(lucas)).toEqual(labels);
  expect(await seedOf(lucas)).toBe(seed);
  expect(await lucas.locator('[data-level]').textContent()).toBe('Apprentice');
  await shoot(lucas, 'shuffle-race');
  await expectAccessible(lucas);
  await play(lucas, solve(await readBoard(lucas)), byTaps);
  await lucas.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await lucas.getByText('Not one wasted.').waitFor();
  await shoot(lucas, 'shuffle-end');
  await expectAccessible(lucas);
  await lucas.getByRole('button', { name: 'Same board again' }).tap();
  await waitForRace(lucas);
  expect(await pegLabels(lucas)).toEqual(labels);

  // The seed alone at the same level is the same board, too; what is none is said.
  await ada.goto(`${on.server.url}/shuffle`);
  await ada.getByLabel('Seed or link of a board').fill('no seed');
  await ada.getByText('A seed has 64 hex digits, or is a decimal number below 2^64').waitFor();
  expect(await ada.getByRole('button', { name: 'Deal' }).isDisabled()).toBe(true);
  await ada.getByLabel('Seed or link of a board').fill(` ${seed} `);
  await ada.keyboard.press('Enter');
  await waitForRace(ada);
  expect(await pegLabels(ada)).toEqual(labels);
  expectNoErrors(ada);
  expectNoErrors(lucas);
});

it('as I go, the level rises with a board that was restored and falls with one that was left', async () => {
  const [page] = await on.player(DESKTOP);
  await deal(page, 'As I go');
  expect(await page.locator('[data-level]').textContent()).toBe('Initiate');
  const shown = await seedOf(page);
  await page.keyboard.press('w');
  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  expect(await page.locator('[data-next]').textContent()).toBe('Next: Initiate again, as you were shown the way.');
  await page.keyboard.press('Enter');
  await waitForAnother(page, shown);
  expect(await page.locator('[data-level]').textContent()).toBe('Initiate');
  const first = await seedOf(page);
  await play(page, solve(await readBoard(page)), byKeyboard);
  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  expect(await page.locator('[data-next]').textContent()).toBe('Next: Apprentice, one level harder, as you restored this one.');
  await page.getByRole('button', { name: 'Next board' }).click();
  await waitForAnother(page, first);
  expect(await page.locator('[data-level]').textContent()).toBe('Apprentice');
  const second = await seedOf(page);
  await page.getByRole('button', { name: 'Another board' }).click();
  await waitForAnother(page, second);
  expect(await page.locator('[data-level]').textContent()).toBe('Initiate');
  expectNoErrors(page);
});

/** On the standard board of seed 6 these three give both free pegs away, and harmony with them. */
const LOSING: readonly Transfer[] = [[1, 5], [1, 4], [3, 6]];

it('on a board that is lost the help says so, and undo leads back to where harmony can be reached', async () => {
  const [page] = await on.player(DESKTOP);
  await page.goto(`${on.server.url}/shuffle?seed=6&preset=standard`);
  await waitForRace(page);
  await play(page, LOSING, byKeyboard);
  const board = await readBoard(page);
  expect(() => solve(board), 'another board is dealt for this seed: find a losing line for it').toThrow('cannot be solved');
  await page.keyboard.press('?');
  const lost = page.locator('.lost').getByText('Harmony cannot be reached from here any more.');
  await lost.waitFor();
  await waitToHear(page, /^Harmony cannot be reached from here any more\./);
  expect(await page.locator('[data-hint]').count()).toBe(0);
  await shoot(page, 'shuffle-lost');
  await expectAccessible(page);
  const again = page.getByText(/^Harmony can be reached again, in \d+ transfers\.$/).first();
  await page.locator('.lost').getByRole('button', { name: 'Undo' }).click();
  await again.waitFor();
  await lost.waitFor({ state: 'hidden' });
  expect(await movesOf(page)).toBe(LOSING.length - 1);
  expectNoErrors(page);
});
