// The gallery of people and of what is kept: accounts, players, leaderboards, stored rounds; the rules and the classic tower.

import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { Leaderboard, LeaderboardEntry, MatchSummary, Profile, RoomInfo } from '../src/lib/protocol';
import { LANGUAGES, gallery } from './gallery';
import type { Puppet } from './puppets';
import { lineToMistake, solve } from './solve';

/** Names of a leaderboard, as long and as short as there are. */
const NAMES = ['Ada Lovelace', 'Édouard Lucas', 'Grace', 'Quiet Compass 90210', 'Bo', 'Technomancer Carol', 'مریم', '李善蘭', 'Hedy'];

const idOf = (number: number): string => `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const roundOf = (number: number): string => `0190b000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** The entry of that rank on a board of ratings, or of times. */
function entry(rank: number, own: { rank: number; player: { player_id: string; name: string } }, isTimes: boolean): LeaderboardEntry {
  const isOwn = rank === own.rank;
  return {
    rank,
    player_id: isOwn ? own.player.player_id : idOf(rank),
    name: isOwn ? own.player.name : (NAMES[rank % NAMES.length] ?? 'Bo'),
    bot: false,
    value: isTimes ? 38_000 + 110 * rank : 2_114 - rank,
    uncertainty: 60 + (rank % 40),
    rounds: 40 + rank,
    wins: 12,
    moves: 26,
    optimum: 24,
    official_ms: 41_000 + 310 * rank,
    errors: rank % 5 === 0 ? 1 : 0,
    interrupted: false,
    round_id: roundOf(rank),
  };
}

/** Tells the page of a board of ratings: fifty from the top, and the own place far below. */
async function tellBoard(page: Page, player: { player_id: string; name: string }): Promise<void> {
  const own = { rank: 812, player };
  const list = (url: string, first: number, count: number): Leaderboard => {
    const board = url.includes('/fastest') ? 'fastest' : 'rating';
    const entries = Array.from({ length: count }, (_, index) => entry(first + index, own, board === 'fastest'));
    return { board, preset: null, period: 'all', stage: null, day: null, list: 'people', entries, next: '50' };
  };
  await page.route('**/api/v1/leaderboards/*?*', (route) => route.fulfill({ json: list(route.request().url(), 1, 50) }));
  await page.route('**/api/v1/leaderboards/*/me?*', (route) =>
    route.fulfill({ json: { ...list(route.request().url(), 809, 7), rank: own.rank } }),
  );
}

/** A round of four in which the player came to this rank. */
function round(id: string, number: number, rank: number): MatchSummary {
  const finish = { raw_ms: 65_400 + 811 * number, credit_ms: 20, official_ms: 65_380 + 811 * number };
  const seats = NAMES.slice(0, 4).map((name, index) => ({
    seat: index + 1,
    player: index === 0 ? id : idOf(index),
    name,
    bot: false,
    rank: index === 0 ? rank : index + 1,
    finish: index === 0 ? finish : null,
    gave_up: index === 3,
    absent: false,
    settled: 12,
    moves: 26,
    errors: number % 3 === 0 ? 1 : 0,
    flawless: true,
    score: 2_412,
    stars: 3,
    crown: number % 2 === 0,
  }));
  const result = { round: 1, round_id: roundOf(number), ended: 'first_decided' as const, interrupted: false, optimum: 24, par: 27, seats };
  return { round_id: roundOf(number), finished_at_ms: 1_764_500_000_000 - 86_400_000 * number, preset: 'grandmaster', result };
}

/** Tells the page of that player's ratings and rounds. */
async function tellProfile(page: Page, { player_id, name }: { player_id: string; name: string }): Promise<void> {
  const rating = { uncertainty: 88, provisional: false, rounds: 61 };
  const ratings = [
    { preset: null, rating: 1612, ...rating },
    { preset: 'standard' as const, rating: 1655, ...rating },
    { preset: 'grandmaster' as const, rating: 1540, ...rating, uncertainty: 310, provisional: true, rounds: 9 },
  ];
  const told: Profile = { player_id, name, bot: false, ratings };
  await page.route(`**/api/v1/players/${player_id}`, (route) => route.fulfill({ json: told }));
  const rounds = [1, 3, 2, 1, 4, 1].map((rank, index) => round(player_id, index + 1, rank));
  await page.route('**/api/v1/matches?*', (route) => route.fulfill({ json: { rounds } }));
}

describe.each(LANGUAGES)('the gallery of people in %s', (language) => {
  const on = gallery(language, ['--countdown-ms', '200', '--acts-per-s', '0']);

  it('an account: of nobody, of somebody, with a code for another device, and where the code leads', async () => {
    const nobody = await on.visitor();
    await on.visit(nobody, '/me', 'main h1', 'account-nobody');
    await on.visit(nobody, '/link#K7Q2M-9XTRA', 'main input', 'link');
    const page = await on.visitor(await on.troupe.player('Ada Lovelace'));
    await on.visit(page, '/me', 'main h1', 'account');
    await page.locator('main h1 ~ section button, main section button').first().waitFor();
    const link = await on.troupe.ask('/players/me/link', await page.evaluate(() => JSON.parse(localStorage.getItem('sprint.player') ?? '').token as string), {
      base: on.server.url,
    });
    await page.route('**/api/v1/players/me/link', (route) => route.fulfill({ json: link }));
    for (const button of await page.locator('main button[type="button"]').all()) {
      await button.click();
      if ((await page.locator('[data-link-code]').count()) > 0) break;
    }
    await page.locator('[data-link-code]').waitFor();
    await on.show(page, 'account-code');
  });

  it('leaderboards: empty, and long with the own place far below', async () => {
    const ada = await on.troupe.player('Ada');
    const page = await on.visitor(ada);
    await on.visit(page, '/leaderboard', 'main h1', 'leaderboard-empty');
    await tellBoard(page, ada.player);
    await on.visit(page, '/leaderboard', 'tr[aria-current="true"]', 'leaderboard');
    await on.visit(page, '/leaderboard?board=fastest&preset=expert&period=week', 'tr[aria-current="true"]', 'leaderboard-fastest');
  });

  it('a player: new, well known, and not there', async () => {
    const ada = await on.troupe.player('Hedy Lamarr');
    const page = await on.visitor(ada);
    await on.visit(page, `/p/${ada.player.player_id}`, 'main h1', 'player-new');
    await tellProfile(page, ada.player);
    await on.visit(page, `/p/${ada.player.player_id}`, 'main tbody tr', 'player');
    await on.visit(page, `/p/${idOf(1)}`, '[role="alert"]', 'player-missing');
    await on.visit(page, `/m/${roundOf(1)}`, '[role="alert"]', 'match-missing');
  });

  it('a stored round: in the middle of its replay, at a mistake, and with all that it came to', async () => {
    const [mary, tom] = [await on.troupe.player('Mary'), await on.troupe.player('Tom')] as [Puppet, Puppet];
    const { code, board } = await on.troupe.race([mary, tom], { preset: 'initiate' });
    await tom.play(lineToMistake(board).line);
    await mary.play(solve(board));
    await mary.hears('round_over');
    const page = await on.visitor(mary);
    await page.goto(`${on.server.url}/r/${code}`);
    const path = await page.locator('a[href^="/m/"]').first().getAttribute('href');
    await on.visit(page, `${path}?t=0.02`, '[data-curve]', 'match');
    await page.keyboard.press('n');
    await page.locator('[data-mark]').first().waitFor();
    await on.show(page, 'match-mistake');
    for (const details of await page.locator('main details').all()) await details.evaluate((element: HTMLDetailsElement) => (element.open = true));
    await on.show(page, 'match-all');
  });

  it('a race of the house’s bots at the pace of people, as it was', async () => {
    const ada = await on.troupe.player('Ada who watches');
    const { code } = await on.troupe.ask<RoomInfo>('/practice', ada.token, { preset: 'apprentice', strengths: [8, 9, 10] });
    await ada.sit(code);
    const over = (await ada.hears('round_over')) as unknown as { result: { round_id: string } };
    const page = await on.visitor(ada);
    await on.visit(page, `/m/${over.result.round_id}?t=6`, '[data-curve]', 'match-of-four');
  });

  it('the rules, whole and at a part', async () => {
    const page = await on.visitor();
    await on.visit(page, '/rules', 'main h1', 'rules');
    await page.goto('about:blank');
    await on.visit(page, '/rules#laws', '#laws', 'rules-laws');
  });

  it('the classic tower: at its start, far on with all disks, and by hand', async () => {
    const page = await on.visitor();
    await on.visit(page, '/hanoi', '[data-progress]', 'hanoi');
    await on.visit(page, '/hanoi?disks=64&from=1&to=3&method=recursive&at=9223372036854775808', '[data-why]', 'hanoi-64');
    await page.keyboard.press('h');
    await page.locator('[data-peg="1"]').waitFor();
    await page.keyboard.press('?');
    await on.show(page, 'hanoi-hand');
  });
});
