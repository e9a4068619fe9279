// The REST calls about the own account: passwords, devices, the way out.

import { call } from '../api';
import type { Link, NewPlayerCreated } from '../protocol';

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
