// The REST calls of the page. Errors are `ApiError` with a stable code; `messageOf` makes a sentence of it.

import type { NewPlayerCreated, Player, Problem, RoomInfo } from './protocol';
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
export async function answer(path: string, { method = 'GET', token, body }: Call): Promise<Response> {
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

/** One room by its code. */
export function findRoom(code: string): Promise<RoomInfo> {
  return call(`/rooms/${encodeURIComponent(code)}`);
}
