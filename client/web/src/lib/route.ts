// The page's addresses: `/`, `/r/CODE`, `/m/ROUND_ID`, `/p/PLAYER_ID`, `/leaderboard`, `/quick`, `/watch`, `/watch/CODE`,
// `/me`, `/link`, `/hanoi`.

/** Where the visitor is. */
export type Route =
  | { page: 'start' }
  | { page: 'room'; code: string }
  | { page: 'match'; roundId: string }
  | { page: 'player'; playerId: string }
  | { page: 'leaderboard' }
  | { page: 'account' }
  | { page: 'link' }
  | { page: 'quick' }
  | { page: 'hanoi' }
  | { page: 'watch' }
  | { page: 'watching'; code: string }
  | { page: 'unknown' };

/** The route of a path; what follows a `?` is the page's own matter. Room codes are read as people may type them: any case, O for 0, I and L for 1. */
export function routeOf(path: string): Route {
  const [first, second, ...rest] = path
    .replace(/\?.*$/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (first === undefined) return { page: 'start' };
  if (rest.length > 0) return { page: 'unknown' };
  if (first === 'r' && second !== undefined) return { page: 'room', code: normalCode(second) };
  if (first === 'm' && second !== undefined) return { page: 'match', roundId: second };
  if (first === 'p' && second !== undefined) return { page: 'player', playerId: second };
  if (first === 'leaderboard' && second === undefined) return { page: 'leaderboard' };
  if (first === 'me' && second === undefined) return { page: 'account' };
  if (first === 'link' && second === undefined) return { page: 'link' };
  if (first === 'watch' && second === undefined) return { page: 'watch' };
  if (first === 'watch' && second !== undefined) return { page: 'watching', code: normalCode(second) };
  if (first === 'quick' && second === undefined) return { page: 'quick' };
  if (first === 'hanoi' && second === undefined) return { page: 'hanoi' };
  return { page: 'unknown' };
}

/** A part of an address as it was meant; one that nobody can have encoded stays as it is, and leads nowhere. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A room code as the server knows it. A whole link is read too. */
export function normalCode(text: string): string {
  const code = /\/(?:r|watch)\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
  return code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
