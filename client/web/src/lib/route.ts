// The page's addresses: `/`, `/r/CODE`, `/m/ROUND_ID`, `/p/PLAYER_ID`, `/leaderboard`, `/quick`, `/watch`, `/watch/CODE`,
// `/me`, `/link`, `/hanoi`, and of what is played alone: `/campaign`, `/campaign/STAGE`, `/tutorial`, `/tutorial/LESSON`,
// `/shuffle`, `/shuffle/SEED`, `/daily`, `/daily/DAY`, `/offline`, `/offline/BOARD`, `/rules`.

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
  | { page: 'campaign' }
  | { page: 'stage'; stage: number }
  | { page: 'tutorial' }
  | { page: 'lesson'; lesson: number }
  | { page: 'shuffle'; seed: string | null }
  | { page: 'daily'; day: string | null }
  | { page: 'offline'; board: string | null }
  | { page: 'rules' }
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
  return aloneOf(first, second);
}

/** The route of what is played alone, and of what is told about the game. */
function aloneOf(first: string, second: string | undefined): Route {
  if (first === 'campaign' && second === undefined) return { page: 'campaign' };
  if (first === 'campaign' && isNumber(second)) return { page: 'stage', stage: Number(second) };
  if (first === 'tutorial' && second === undefined) return { page: 'tutorial' };
  if (first === 'tutorial' && isNumber(second)) return { page: 'lesson', lesson: Number(second) };
  if (first === 'shuffle') return { page: 'shuffle', seed: second ?? null };
  if (first === 'daily') return { page: 'daily', day: second ?? null };
  if (first === 'offline') return { page: 'offline', board: second ?? null };
  if (first === 'rules' && second === undefined) return { page: 'rules' };
  return { page: 'unknown' };
}

/** Whether a part of an address is the number of a stage or a lesson; whether there is such a one the page finds out. */
function isNumber(part: string | undefined): boolean {
  return part !== undefined && /^[1-9]\d{0,2}$/.test(part);
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
