// The REST calls of what is played alone.

import { answer, call } from '../api';
import type { Campaign, Daily, NewShuffle, PastDaily, Progress, RoomInfo, Tutorial, Way } from '../protocol';

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
