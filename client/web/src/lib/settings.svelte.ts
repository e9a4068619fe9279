// What this browser's visitor has chosen: kept in the browser, followed by all its tabs. Must never hold who plays.

import { LOCALES, type Locale } from '../locale/areas';

const KEY = 'sprint.settings';

/** All choices. */
export interface Settings {
  /** Light or dark; `system` as the device has it. */
  theme: 'system' | 'light' | 'dark';
  /** `system` as the device has it; `less` moves nothing that need not move. */
  motion: 'system' | 'less';
  /** How loud, from 0 to 1. */
  volume: number;
  isMuted: boolean;
  /** Whether a phone may tremble. */
  haptics: boolean;
  /** The board as a drawing, or as text. */
  board: 'drawn' | 'text';
  /** The language chosen by hand. */
  locale: Locale | null;
}

const DEFAULTS: Settings = {
  theme: 'system',
  motion: 'system',
  volume: 0.6,
  isMuted: false,
  haptics: true,
  board: 'drawn',
  locale: null,
};

/** The choices as they stand; what is written here is kept. */
export const settings: Settings = $state(settingsOf(kept()));

/** What was kept, each choice read by itself: what cannot be read takes its default. */
export function settingsOf(text: string | null): Settings {
  let found: Partial<Record<keyof Settings, unknown>> = {};
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    if (typeof read === 'object' && read !== null) found = read;
  } catch {
    // Written by somebody else.
  }
  const oneOf = <T>(value: unknown, among: readonly T[], otherwise: T): T => (among.includes(value as T) ? (value as T) : otherwise);
  const { theme, motion, volume, isMuted, haptics, board, locale } = found;
  return {
    theme: oneOf(theme, ['system', 'light', 'dark'], DEFAULTS.theme),
    motion: oneOf(motion, ['system', 'less'], DEFAULTS.motion),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : DEFAULTS.volume,
    isMuted: oneOf(isMuted, [true, false], DEFAULTS.isMuted),
    haptics: oneOf(haptics, [true, false], DEFAULTS.haptics),
    board: oneOf(board, ['drawn', 'text'], DEFAULTS.board),
    locale: oneOf(locale, Object.keys(LOCALES) as Locale[], null),
  };
}

/** Keeps every change, and puts theme and motion where the styles find them. To be called in an effect. */
export function keepSettings(): void {
  const text = JSON.stringify(settings);
  document.documentElement.dataset.theme = settings.theme;
  document.documentElement.dataset.motion = settings.motion;
  if (text === kept()) return;
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // A browser that keeps nothing: the choices hold for this visit.
  }
}

/** Follows what other tabs of this browser choose. Returns what stops it. */
export function followSettings(): () => void {
  const follow = (event: StorageEvent): void => {
    if (event.key === KEY) Object.assign(settings, settingsOf(event.newValue));
  };
  addEventListener('storage', follow);
  return () => removeEventListener('storage', follow);
}

/** Whether what moves for beauty alone has to stand still. */
export function isCalm(): boolean {
  return settings.motion === 'less' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
