// What a player is told of an own act at once: what was wrong with it, or what it did. The server's word may follow.

import { type Act, type Forecast, type Play, misplacement } from './play';
import { sayDeed } from './speech';

/** What there is to tell of an act. */
export interface Told {
  /** What was wrong, to be shown and said; `null` where nothing was. */
  error: string | null;
  /** What it did, for those who do not see the page; empty where there is nothing to say. */
  said: string;
  /** The peg to shake. */
  shaken: number | null;
}

/** What to tell of an act on the play before it. */
export function tellAct(before: Play, act: Act, forecast: Forecast): Told {
  if (forecast.kind === 'refused') return { error: forecast.message, said: '', shaken: 'peg' in act ? act.peg : null };
  if (forecast.kind === 'unknown') return { error: null, said: '', shaken: null };
  const { deed } = forecast;
  if (deed.type !== 'erred' && deed.type !== 'returned') return { error: null, said: sayDeed(deed, before.board), shaken: null };
  const placement = deed.type === 'erred' ? 'strict' : 'guarded';
  return { error: misplacement(before, deed.from, deed.to, placement), said: '', shaken: deed.to };
}
