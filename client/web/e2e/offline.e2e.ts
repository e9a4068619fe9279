// Without a connection: boards that have been on this device are played at practice, and nothing is asked of the server.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, NO_NETWORK, PHONE, expectAccessible, expectNoErrors, shoot, waitForWorker } from './browser';
import { byKeyboard, byTaps, movesOf, play, readBoard, waitForMoves, waitForRace } from './player';
import { solve } from './solve';
import { stage } from './stage';

const on = stage();

/** What the page asks of the server's API from now on. */
function askedBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/(api|ws)\//.test(new URL(request.url()).pathname)) asked.push(request.url());
  });
  page.on('websocket', (socket) => asked.push(socket.url()));
  return asked;
}

it('a stage that was open is played without a connection, by keyboard alone, and counts nowhere', async () => {
  const [page] = await on.player(DESKTOP);
  await page.goto(`${on.server.url}/campaign`);
  await page.locator('[data-stage="50"]').waitFor();
  await waitForWorker(page);
  await page.context().setOffline(true);

  // Another page says kindly what can be done.
  await page.goto(on.server.url);
  await page.getByText('No connection to the server.').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'These boards can be played' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Without a connection' }).waitFor();
  const asked = askedBy(page);
  expect(await page.locator('[data-kept]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-kept')))).toEqual(['stage-1']);
  await expectAccessible(page);
  await shoot(page, 'offline');

  await page.getByRole('link', { name: /First Light/ }).focus();
  await page.keyboard.press('Enter');
  await waitForRace(page);
  await page.getByText('Practice: not counted').waitFor();
  // The page judges by the same laws: Sapphire 3 cannot rest on Sapphire 2.
  await byKeyboard(page, 2);
  await byKeyboard(page, 1);
  await page.getByText(/^Placement error\. Sapphire 3 cannot rest on Sapphire 2/).first().waitFor();
  expect(await movesOf(page)).toBe(0);
  const line = solve(await readBoard(page));
  await play(page, line.slice(0, 1), byKeyboard);
  await page.keyboard.press('u');
  await waitForMoves(page, 0);
  await expectAccessible(page);
  await shoot(page, 'offline-played');
  // A reload without a network opens the same board anew.
  await page.reload();
  await waitForRace(page);
  await play(page, line, byKeyboard);
  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await page.getByText('Fewer is not possible.').waitFor();
  await page.getByText('Practice: nothing of this is counted.').waitFor();
  await expectAccessible(page);
  await shoot(page, 'offline-result');
  await page.keyboard.press('r');
  await waitForRace(page);
  expect(asked).toEqual([]);

  // With the server again, nothing has come to it.
  await page.context().setOffline(false);
  await page.goto(`${on.server.url}/campaign/1`);
  await page.getByText('Not tried yet.').waitFor();
  expect(await page.getByText('No connection to the server.').count()).toBe(0);
  expectNoErrors(page, NO_NETWORK);
});

it('on a phone a board of Infinite Shuffle is there again without a connection, with nothing to pay', async () => {
  const [page] = await on.player(PHONE);
  await waitForWorker(page);
  await page.goto(`${on.server.url}/shuffle?seed=6&preset=initiate`);
  await waitForRace(page);
  const board = await readBoard(page);
  await page.context().setOffline(true);
  await page.goto(`${on.server.url}/offline`);
  await page.getByRole('link', { name: /Initiate/ }).tap();
  await waitForRace(page);
  expect(await readBoard(page)).toEqual(board);
  expect(await page.getByText('1 error').count()).toBe(0);
  await expectAccessible(page);
  await shoot(page, 'offline-played');
  await play(page, solve(board), byTaps);
  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'offline-result');
  await page.getByRole('link', { name: 'All boards' }).last().tap();
  await page.getByRole('heading', { name: 'Without a connection' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'offline');
  // What is not there any more is said.
  await page.goto(`${on.server.url}/offline/stage-50`);
  await page.getByText('This board is not on this device any more.').waitFor();
  expectNoErrors(page, NO_NETWORK);
});
