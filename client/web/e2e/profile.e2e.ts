// Players' pages: one of somebody new, and one whose ratings and rounds the test tells.

import { expect, it } from 'vitest';
import type { MatchSummary, Profile } from '../src/lib/protocol';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { stage } from './stage';

const on = stage();

it.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('a player has a page of their own, on %s', async (_, viewport) => {
  const [page, id, name] = await on.player(viewport);
  await page.goto(`${on.server.url}/p/${id}`);
  await page.getByRole('heading', { name: `${name} you` }).waitFor();
  await page.getByText('Not rated yet').waitFor();
  await page.getByText('No round yet. A rated one stands here 15 seconds after its end.').waitFor();
  await expectAccessible(page);
  await shoot(page, 'player-new');

  const rating = { uncertainty: 88, provisional: false, rounds: 61 };
  const told: Profile = {
    player_id: id,
    name: 'Technomancer Ada',
    bot: false,
    ratings: [
      { preset: null, rating: 1612, ...rating },
      { preset: 'grandmaster', rating: 1540, ...rating, uncertainty: 310, provisional: true, rounds: 9 },
    ],
  };
  await page.route(`**/api/v1/players/${id}`, (route) => route.fulfill({ json: told }));
  await page.route('**/api/v1/matches?*', (route) => route.fulfill({ json: { rounds: [round(id, 1), round(id, 3)] } }));
  await page.reload();
  await page.getByText('61 rated rounds.').waitFor();
  expect(await page.getByRole('row', { name: /Grandmaster/ }).first().innerText()).toMatch(/1540 ± 310\s*\?/);
  const rows = page.getByRole('table', { name: 'Recent rounds' }).locator('tbody tr');
  expect(await rows.first().innerText()).toMatch(/1st of 4.*Bo, Cy, Quiet Compass 90210/s);
  expect(await rows.nth(1).innerText()).toMatch(/3rd of 4/);
  await expectAccessible(page);
  await shoot(page, 'player');
  expectNoErrors(page);
});

it('an address that leads nowhere says so in our words', async () => {
  const [page] = await on.player(DESKTOP);
  for (const id of ['0190a000-0000-7000-8000-000000000001', 'nobody', '%']) {
    for (const [path, words] of [
      ['p', 'There is no such player here.'],
      ['m', 'There is no such round here.'],
    ] as const) {
      await page.goto(`${on.server.url}/${path}/${id}`);
      await page.getByText(words).waitFor();
    }
  }
  for (const code of ['%', 'AB%C', '%E0%A4%A']) {
    await page.goto('about:blank');
    await page.goto(`${on.server.url}/link#${code}`);
    expect(await page.getByLabel('Code').inputValue()).toBe(code);
  }
  expectNoErrors(page, /status of 40[04]/);
});

/** A round of four in which the player came to this rank. */
function round(id: string, rank: number): MatchSummary {
  const finish = { raw_ms: 65_400, credit_ms: 20, official_ms: 65_380 };
  const seat = (number: number, name: string) => ({
    seat: number,
    player: number === 1 ? id : `0190a000-0000-7000-8000-00000000000${number}`,
    name,
    bot: false,
    rank: number === 1 ? rank : number,
    finish: number === 1 ? finish : null,
    gave_up: number !== 1,
    absent: false,
    settled: 12,
    moves: 26,
    errors: 0,
    flawless: true,
    score: 2_412,
    stars: 3,
    crown: false,
  });
  const seats = [seat(1, 'Ada'), seat(2, 'Bo'), seat(3, 'Cy'), seat(4, 'Quiet Compass 90210')];
  const round_id = `0190b000-0000-7000-8000-00000000000${rank}`;
  const result = { round: 1, round_id, ended: 'first_decided' as const, interrupted: false, optimum: 24, par: 27, seats };
  return { round_id, finished_at_ms: 1_764_500_000_000, preset: 'grandmaster', result };
}
