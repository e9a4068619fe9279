// The leaderboards. Long lists are told to the page by the test: a thousand players are not raced here.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { LeaderboardEntry, Profile } from '../src/lib/protocol';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { stage } from './stage';

const on = stage();

/** The entry of that rank on a board of points: each has ten fewer than the one before. */
function entry(rank: number, own: { rank: number; id: string }): LeaderboardEntry {
  const isOwn = rank === own.rank;
  return {
    rank,
    player_id: isOwn ? own.id : `0190a000-0000-7000-8000-${String(rank).padStart(12, '0')}`,
    name: isOwn ? 'Ada' : `Quiet Compass ${rank}`,
    bot: false,
    value: 90_000 - 10 * rank,
    uncertainty: null,
    rounds: 40,
    wins: 12,
    moves: null,
    optimum: null,
    official_ms: null, errors: null, interrupted: false,
    round_id: `0190b000-0000-7000-8000-${String(rank).padStart(12, '0')}`,
  };
}

/** Tells the page of a board of points on which the player has this rank. */
async function tellBoard(page: Page, own: { rank: number; id: string }): Promise<void> {
  const ranks = (first: number, count: number) => Array.from({ length: count }, (_, index) => entry(first + index, own));
  await page.route('**/api/v1/leaderboards/sprint?*', (route) => {
    const after = new URL(route.request().url()).searchParams.get('after');
    const first = after === null ? 1 : Number(after);
    const list = { board: 'sprint', preset: null, period: 'all', list: 'people' };
    return route.fulfill({ json: { ...list, entries: ranks(first, 50), next: `${first + 50}` } });
  });
  await page.route('**/api/v1/leaderboards/sprint/me?*', (route) => {
    expect(route.request().headers().authorization).toMatch(/^Bearer [0-9a-f]{64}$/);
    return route.fulfill({ json: { rank: own.rank, entries: ranks(own.rank - 3, 7) } });
  });
}

it.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('the own place is shown with its neighbours, on %s', async (_, viewport) => {
  const [page, id] = await on.player(viewport);
  await tellBoard(page, { rank: 812, id });
  await page.goto(`${on.server.url}/leaderboard?board=sprint`);
  await page.getByText('You are 812th with 81,880.').waitFor();
  const around = page.getByRole('table', { name: 'My place and its neighbours' });
  const cells = await around.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.querySelector('td')?.textContent));
  expect(cells).toEqual(['809', '810', '811', '812', '813', '814', '815']);
  expect(await around.locator('tr[aria-current="true"]').innerText()).toMatch(/812\s+Ada\s+you\s+81,880/);
  expect(await page.getByRole('table', { name: 'From the top' }).locator('tbody tr').count()).toBe(50);
  // Every entry opens its round, and its player.
  const first = page.getByRole('row', { name: /Quiet Compass 1 / });
  expect(await first.getByRole('link', { name: 'The round of' }).getAttribute('href')).toMatch(/^\/m\/0190b000-.*1$/);
  expect(await first.getByRole('link', { name: 'Quiet Compass 1', exact: true }).getAttribute('href')).toMatch(/^\/p\/0190a000-.*1$/);
  await expectAccessible(page);
  await shoot(page, 'boards');
  await page.getByRole('link', { name: 'Show my place' }).click();
  await around.locator('tr[aria-current="true"]').scrollIntoViewIfNeeded();
  await shoot(page, 'boards-own');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('row', { name: /Quiet Compass 100 / }).waitFor();
  expectNoErrors(page);
});

it('an own place among those that are shown already is marked there and not shown twice', async () => {
  const [page, id] = await on.player(DESKTOP);
  await tellBoard(page, { rank: 7, id });
  await page.goto(`${on.server.url}/leaderboard?board=sprint`);
  await page.getByText('You are 7th with 89,930.').waitFor();
  expect(await page.locator('tr[aria-current="true"]').count()).toBe(1);
  expect(await page.getByRole('heading', { name: 'My place' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Show my place' }).count()).toBe(0);
});

it.each([429, 503])('a board is whole where the own place cannot be counted, and says so (%i)', async (status) => {
  const [page, id] = await on.player(PHONE);
  await tellBoard(page, { rank: 812, id });
  await page.route('**/api/v1/leaderboards/sprint/me?*', (route) => route.fulfill({ status, json: { status, code: 'busy', title: '', detail: 'later' } }));
  await page.goto(`${on.server.url}/leaderboard?board=sprint`);
  await page.getByText('Your place cannot be looked up at the moment.').waitFor();
  expect(await page.getByRole('table', { name: 'From the top' }).locator('tbody tr').count()).toBe(50);
  await expectAccessible(page);
  expectNoErrors(page, /status of (429|503)/);
});

it('a rating that has not settled is told beside the board', async () => {
  const [page, id, name] = await on.player(PHONE);
  const ratings = [{ preset: null, rating: 1544, uncertainty: 311, provisional: true, rounds: 9 }];
  const told: Profile = { player_id: id, name, bot: false, ratings };
  await page.route(`**/api/v1/players/${id}`, (route) => route.fulfill({ json: told }));
  await page.goto(`${on.server.url}/leaderboard`);
  await page.getByText('has not settled').waitFor();
  expect(await page.locator('.callout').innerText()).toMatch(/Your rating\s+1544 ± 311\s*\?/);
  await expectAccessible(page);
  await shoot(page, 'boards-unsettled');
  // On the boards of another preset there is none yet.
  await page.getByLabel('Rounds on').selectOption('expert');
  await page.getByText('a rating stands here once it has settled').waitFor();
  expectNoErrors(page);
});

it('a board is chosen by keyboard, stands in the address, and comes back with it', async () => {
  const [page] = await on.player(DESKTOP);
  await page.goto(`${on.server.url}/leaderboard`);
  await page.getByText('Nobody stands here yet.').waitFor();
  await page.getByText('a rating stands here once it has settled').waitFor();
  await page.getByRole('radio', { name: 'Rating' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.search === '?board=fastest&preset=standard');
  await page.getByLabel('Rounds on').selectOption('expert');
  await page.getByRole('radio', { name: 'This week' }).check({ force: true });
  await page.getByLabel('Who').selectOption('apart');
  await page.getByText("They are kept here, and take nobody's place.").waitFor();
  expect(new URL(page.url()).search).toBe('?board=fastest&preset=expert&period=week&list=apart');
  await page.reload();
  await page.getByText('Nobody stands here yet.').waitFor();
  expect(await page.getByRole('radio', { name: 'Fastest' }).isChecked()).toBe(true);
  expect(await page.getByLabel('Rounds on').inputValue()).toBe('expert');
  // A rating is a state: it has no week.
  await page.getByRole('radio', { name: 'Rating' }).check({ force: true });
  expect(await page.getByRole('radio', { name: 'This week' }).count()).toBe(0);
  await page.waitForFunction(() => location.search === '?preset=expert&list=apart');
  await page.getByText('Nobody stands here yet.').waitFor();
  await expectAccessible(page);
  expectNoErrors(page);
});
