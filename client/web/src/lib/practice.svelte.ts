// A board that is played without a server: judged by the page's own rules, counted nowhere, sent to nobody.

import { parseBoard } from './board';
import { NO_CLOCK } from './clock';
import type { Racer } from './fold';
import type { KeptBoard } from './kept';
import { isHarmony } from './legality';
import { type Act, type Forecast, type House, type Play, applied, judge, newPlay } from './play';
import type { View } from './protocol';
import type { Notice, RaceRoom } from './room.svelte';
import { tellAct } from './telling';

/** One board at practice; what a race is played on, without a room. */
export class Practice implements RaceRoom {
  readonly seat = null;
  readonly racers: readonly Racer[] = [];
  readonly ownRacer: Racer | undefined = undefined;
  readonly clock = NO_CLOCK;
  own = $state.raw<Play>(newPlay(parseBoard('- 1')));
  notice = $state.raw<Notice | null>(null);
  refusedPeg = $state.raw<{ peg: number; id: number } | null>(null);
  /** The last thing to be read out to those who do not see the page. */
  spoken = $state('');
  readonly #house: House;
  #notices = 0;

  /** `board` in notation. */
  constructor(board: string, house: House) {
    this.own = newPlay(parseBoard(board));
    this.#house = house;
  }

  /** Whether harmony reigns. */
  get isRestored(): boolean {
    return isHarmony(this.own.board);
  }

  get canAct(): boolean {
    return !this.isRestored;
  }

  /** Does an act, if the rules let it; `null` once harmony reigns. */
  act(act: Act): Forecast | null {
    if (!this.canAct) return null;
    const before = this.own;
    const forecast = judge(before, act, this.#house);
    if (forecast.kind === 'deed') this.own = applied(before, forecast.deed);
    const { error, said, shaken } = tellAct(before, act, forecast);
    this.notice = error === null ? null : { kind: 'error', text: error, id: ++this.#notices };
    this.spoken = error ?? said;
    if (shaken !== null) this.refusedPeg = { peg: shaken, id: ++this.#notices };
    return forecast;
  }

  /** Lifts from or places on a peg, whichever the hand calls for. */
  touch(peg: number): void {
    this.act({ type: this.own.held === null ? 'lift' : 'place', peg });
  }

  /** Puts the held disk back where the rules allow it. */
  putBack(): void {
    if (this.own.held !== null) this.act({ type: 'place', peg: this.own.held });
  }

  /** The same board from its start, with nothing done on it. */
  again(): void {
    this.own = newPlay(this.own.start);
    [this.notice, this.spoken, this.refusedPeg] = [null, '', null];
  }
}

/** What a race is shown by, of a room that nobody else is in. */
export function viewOf({ solo, preset }: KeptBoard): View {
  return {
    code: '',
    options: {
      seats: 1,
      preset: preset ?? 'standard',
      blueprint: null,
      time_limit_s: null,
      rounds: 1,
      contest: 'fastest',
      placement: 'strict',
      rated: false,
      public: false,
      opponents: 'boards',
      spectators: false,
      spectator_delay_s: 0,
      solo,
    },
    phase: 'racing',
    host: null,
    seats: [],
    round: null,
    ranking: null,
  };
}
