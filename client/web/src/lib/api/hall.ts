// The REST calls about what there is to play and to watch.

import { call } from '../api';
import type { LiveMatch, PresetInfo, QueueInfo, RoomInfo, RoomOptions } from '../protocol';

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

/** The kinds of dealt boards. */
export function listPresets(): Promise<PresetInfo[]> {
  return call('/presets');
}

/** How many wait for a quick match. */
export function queueInfo(): Promise<QueueInfo> {
  return call('/queue');
}
