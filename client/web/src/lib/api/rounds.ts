// The REST calls about players, stored rounds and leaderboards.

import { ApiError, answer, call } from '../api';
import type { Choice } from '../boards';
import type { Leaderboard, Match, MatchRatings, MatchPage, MatchSummary, Place, Profile, Review, RoomInfo } from '../protocol';

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

function queryOf({ preset, period, list, stage, day }: Choice): URLSearchParams {
  const query = new URLSearchParams({ period, list });
  if (stage !== undefined) query.set('stage', String(stage));
  if (day !== undefined) query.set('day', day);
  if (preset !== null) query.set('preset', preset);
  return query;
}
