// The REST calls of the page. Errors are `ApiError` with a stable code; `messageOf` makes a sentence of it.

import type { Choice } from './boards';
import type {
  Campaign,
  Daily,
  Leaderboard,
  Link,
  LiveMatch,
  Match,
  MatchRatings,
  MatchPage,
  MatchSummary,
  NewPlayerCreated,
  NewShuffle,
  PastDaily,
  Place,
  Player,
  PresetInfo,
  Problem,
  Profile,
  Progress,
  QueueInfo,
  Review,
  RoomInfo,
  RoomOptions,
  Tutorial,
  Way,
} from './protocol';
import { sayProblem, tongueOf } from './words';

/** A call that failed. `code` is stable; `network` means that no server answered. The message is the server's own, if any. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Told the token of a call that the server does not take any more. */
let toldOfLostToken: (token: string) => void = () => undefined;

/** Whom to tell when the server does not take a token any more, whatever call it was. */
export function onLostToken(tell: (token: string) => void): void {
  toldOfLostToken = tell;
}

/** Told of each call whether a server answered. */
let toldOfReach: (isThere: boolean) => void = () => undefined;

/** Whom to tell whether a server answers. */
export function onReach(tell: (isThere: boolean) => void): void {
  toldOfReach = tell;
}

/** How to call. */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  token?: string;
  body?: unknown;
}

/** One call, its answer read as JSON; throws `ApiError`. */
export async function call<T>(path: string, how: Call = {}): Promise<T> {
  const response = await answer(path, how);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** The answer to a call that did not fail. */
async function answer(path: string, { method = 'GET', token, body }: Call): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method === 'POST') headers['idempotency-key'] = randomHex(16);
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    toldOfReach(false);
    throw new ApiError(0, 'network', '');
  }
  toldOfReach(true);
  if (response.status === 401 && token !== undefined) {
    toldOfLostToken(token);
    throw new ApiError(401, 'unauthorized', '');
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** What went wrong, for a person, in the language that is spoken when it is asked. */
export function messageOf(failure: unknown): string {
  if (failure instanceof ApiError) return sayProblem(failure.code, failure.message);
  return failure instanceof Error ? failure.message : String(failure);
}

/** The `lang` of the element that shows that, where it is another than the page's. */
export function langOf(failure: unknown): 'en' | undefined {
  return failure instanceof ApiError ? tongueOf(failure.code) : 'en';
}

/** Whether a thing was asked for that is not there; what is no id is nothing's either. */
export function isMissing(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.status === 404 || failure.status === 400);
}

async function problemOf(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Problem;
    return new ApiError(response.status, problem.code, problem.detail || problem.title);
  } catch {
    return new ApiError(response.status, 'unreadable', '');
  }
}

/** Random bytes in hex digits. */
export function randomHex(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A new guest; the server makes a name up for `null`. */
export function createPlayer(name: string | null): Promise<NewPlayerCreated> {
  return call('/players', { method: 'POST', body: { name, bot: false } });
}

/** Who one is. */
export function whoAmI(token: string): Promise<Player> {
  return call('/players/me', { token });
}

/** Another name for the player of that token. */
export function renamePlayer(token: string, name: string): Promise<Player> {
  return call('/players/me', { method: 'PATCH', token, body: { name } });
}

/** A code that logs one other device in; its QR code leads to the page at `base`. */
export function openLink(token: string, base: string): Promise<Link> {
  return call('/players/me/link', { method: 'POST', token, body: { base } });
}

/** Logs this browser in by a code that another device shows. */
export function useLink(code: string): Promise<NewPlayerCreated> {
  return call('/players/link', { method: 'POST', body: { code } });
}

/** Logs this browser in by name and password. */
export function logIn(name: string, password: string): Promise<NewPlayerCreated> {
  return call('/players/login', { method: 'POST', body: { name, password } });
}

/** A password, or another one; the old one where there is one. */
export function setPassword(token: string, password: string, old?: string): Promise<void> {
  return call('/players/me/password', { method: 'PUT', token, body: { password, old } });
}

/** Logs the player out on all devices. */
export function logOut(token: string): Promise<void> {
  return call('/players/me/logout', { method: 'POST', token });
}

/** Deletes the player for good. */
export function deletePlayer(token: string): Promise<void> {
  return call('/players/me', { method: 'DELETE', token });
}

/** Opens a room; what is left out takes the server's default. */
export function createRoom(token: string, options: Partial<RoomOptions>): Promise<RoomInfo> {
  return call('/rooms', { method: 'POST', token, body: options });
}

/** The public rooms. */
export function listRooms(): Promise<RoomInfo[]> {
  return call('/rooms');
}

/** What can be watched, the one to show first before the others. */
export function listLive(): Promise<LiveMatch[]> {
  return call('/live');
}

/** One room by its code. */
export function findRoom(code: string): Promise<RoomInfo> {
  return call(`/rooms/${encodeURIComponent(code)}`);
}

/** The kinds of dealt boards. */
export function listPresets(): Promise<PresetInfo[]> {
  return call('/presets');
}

/** A page of a leaderboard; that of today's Daily Spire only for who has had their try. */
export function leaderboard(choice: Choice, after?: string, token?: string): Promise<Leaderboard> {
  const query = queryOf(choice);
  if (after !== undefined) query.set('after', after);
  return call(`/leaderboards/${choice.board}?${query}`, token === undefined ? {} : { token });
}

/** The own place on a leaderboard, with the neighbours on either side. */
export function ownPlace(token: string, choice: Choice): Promise<Place> {
  return call(`/leaderboards/${choice.board}/me?${queryOf(choice)}`, { token });
}

function queryOf({ preset, period, list, stage, day }: Choice): URLSearchParams {
  const query = new URLSearchParams({ period, list });
  if (stage !== undefined) query.set('stage', String(stage));
  if (day !== undefined) query.set('day', day);
  if (preset !== null) query.set('preset', preset);
  return query;
}

/** A player as everybody may see them. */
export function findPlayer(playerId: string): Promise<Profile> {
  return call(`/players/${encodeURIComponent(playerId)}`);
}

/** The latest rounds of a player, newest first. */
export async function matchesOf(playerId: string): Promise<MatchSummary[]> {
  const page = await call<MatchPage>(`/matches?player=${encodeURIComponent(playerId)}`);
  return page.rounds;
}

/** Opens a room against those who came to harmony in a round, as they raced then. */
export function raceGhosts(token: string, roundId: string): Promise<RoomInfo> {
  return call(`/matches/${encodeURIComponent(roundId)}/ghosts`, { method: 'POST', token });
}

/** How many wait for a quick match. */
export function queueInfo(): Promise<QueueInfo> {
  return call('/queue');
}

/** How a round moved ratings; those who raced in it may ask as soon as it is over. */
export function matchRatings(roundId: string, token: string): Promise<MatchRatings> {
  return call(`/matches/${encodeURIComponent(roundId)}/ratings`, { token });
}

/** A round that is over; tries of others at today's Daily Spire are shown to who has had their own. */
export function findMatch(roundId: string, token?: string): Promise<Match> {
  return call(`/matches/${encodeURIComponent(roundId)}`, token === undefined ? {} : { token });
}

/** A round's analysis; a number where it is still being worked out: ask again after so many milliseconds. */
export async function findReview(roundId: string, token?: string): Promise<Review | number> {
  try {
    const response = await answer(`/matches/${encodeURIComponent(roundId)}/review`, token === undefined ? {} : { token });
    if (response.status !== 202) return (await response.json()) as Review;
    return 1_000 * Math.max(1, Number(response.headers.get('retry-after') ?? 1) || 1);
  } catch (failure) {
    // As many wait as may: it is this round's turn later.
    if (failure instanceof ApiError && failure.status === 503) return 5_000;
    throw failure;
  }
}

/** The almanac of Campaign Master. */
export function campaign(): Promise<Campaign> {
  return call('/campaign');
}

/** The lessons of the tutorial. */
export function tutorial(): Promise<Tutorial> {
  return call('/tutorial');
}

/** How far the player of that token has come alone. */
export function soloProgress(token: string): Promise<Progress> {
  return call('/players/me/solo', { token });
}

/** Opens a session on a stage; 403 `locked` where it is not open yet. */
export function beginStage(token: string, stage: number): Promise<RoomInfo> {
  return call(`/campaign/${stage}`, { method: 'POST', token });
}

/** Opens a session of a lesson. */
export function beginLesson(token: string, lesson: number): Promise<RoomInfo> {
  return call(`/tutorial/${lesson}`, { method: 'POST', token });
}

/** A board of Infinite Shuffle, in a room of one's own. */
export function dealShuffle(token: string, wanted: NewShuffle): Promise<RoomInfo> {
  return call('/shuffle', { method: 'POST', token, body: wanted });
}

/** A shortest way to harmony from where the own board stands. */
export function findWay(token: string, code: string): Promise<Way> {
  return call(`/rooms/${encodeURIComponent(code)}/way`, { token });
}

/** The Daily Spire, and by the server's clock how many milliseconds are left of its day. */
export async function findDaily(token?: string): Promise<{ daily: Daily; leftMs: number }> {
  const response = await answer('/daily', token === undefined ? {} : { token });
  const daily = (await response.json()) as Daily;
  const now = Date.parse(response.headers.get('date') ?? '');
  return { daily, leftMs: Math.max(0, daily.today.ends_at_ms - (Number.isNaN(now) ? Date.now() : now)) };
}

/** The room of today's one rated try, or of practice after it. */
export function openDaily(token: string, practice: boolean): Promise<RoomInfo> {
  return call('/daily', { method: 'POST', token, body: { practice } });
}

/** A day of the Daily Spire that is over. */
export function findDay(day: string): Promise<PastDaily> {
  return call(`/daily/${encodeURIComponent(day)}`);
}
