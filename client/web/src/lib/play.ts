// One player's play of a board: the hand, the counters, and what an act will come to. It mirrors the server's judgement
// so that an act shows at once; it never decides anything. Values are not changed, only replaced.

import { type Board, nameOf, parseBoard, topOf, withTransfer } from './board';
import { words } from './locale.svelte';
import { check, checkLift, isLockout, legalTargets, reasonOf } from './legality';
import type { Placement, PlayView, RoomOptions } from './protocol';

/** What a player asks for; pegs from 1. */
export type Act =
  | { type: 'lift'; peg: number }
  | { type: 'place'; peg: number }
  | { type: 'undo' }
  | { type: 'reset' };

/** What an act did. */
export type Deed =
  | { type: 'lifted'; peg: number }
  | { type: 'transferred'; from: number; to: number }
  | { type: 'erred'; from: number; to: number }
  | { type: 'returned'; from: number; to: number }
  | { type: 'put_back'; peg: number }
  | { type: 'two_handed' }
  | { type: 'undone'; from: number; to: number }
  | { type: 'reset' };

/** What the page expects of an act: a deed, a refusal to show, or that only the server can tell. */
export type Forecast =
  | { kind: 'deed'; deed: Deed }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'unknown' };

/** One seat's play of a round. */
export interface Play {
  start: Board;
  /** The board as it stands; a held disk is still on its source. */
  board: Board;
  /** The transfers of this attempt, as far as this page has seen them. */
  line: readonly (readonly [from: number, to: number])[];
  /** Transfers of this attempt from before this page came in. */
  before: number;
  /** The source of the held disk. */
  held: number | null;
  errors: number;
  penalties: number;
  /** Accepted acts. */
  ply: number;
  flawless: boolean;
}

/** The house rules that an act is judged by: what a misplacement costs, or that nothing costs anything. */
export type House = Placement | 'relaxed';

/** A second lift while holding costs that many penalty moves. */
const TWO_HANDED_PENALTY = 5;

/** The house rules of a room: a lesson and Infinite Shuffle are relaxed. */
export function houseOf({ placement, solo }: RoomOptions): House {
  return solo?.mode === 'lesson' || solo?.mode === 'shuffle' ? 'relaxed' : placement;
}

/** A fresh play of a board. */
export function newPlay(start: Board): Play {
  const counters = { errors: 0, penalties: 0, ply: 0, before: 0 };
  return { start, board: start, line: [], held: null, flawless: true, ...counters };
}

/** The play that a snapshot shows; `null` where its board is hidden. */
export function playOf(view: PlayView, start: Board): Play | null {
  if (view.board === null) return null;
  const before = view.transfers ?? 0;
  return {
    start,
    board: parseBoard(view.board),
    line: [],
    before,
    held: view.held,
    errors: view.errors,
    penalties: Math.max(0, view.moves - before),
    ply: view.ply ?? 0,
    flawless: view.flawless,
  };
}

/** Transfers of this attempt: what rings wait for. */
export function transfersOf(play: Play): number {
  return play.before + play.line.length;
}

/** The official counter: transfers and penalty moves. */
export function movesOf(play: Play): number {
  return transfersOf(play) + play.penalties;
}

/** What the act will come to, as far as this page can know. */
export function judge(play: Play, act: Act, house: House): Forecast {
  const made = transfersOf(play);
  const isBarred = act.type === 'lift' || (act.type === 'undo' && house !== 'relaxed');
  if (isBarred && isLockout(play.board, made)) {
    const { lockout, lockoutRelaxed } = words('race').refusals;
    return refused('lockout', house === 'relaxed' ? lockoutRelaxed : lockout);
  }
  switch (act.type) {
    case 'lift':
      return judgeLift(play, act.peg, house);
    case 'place':
      return judgePlace(play, act.peg, house);
    case 'undo':
      return judgeUndo(play);
    case 'reset':
      return play.held === null ? deed({ type: 'reset' }) : refused('holding', words('race').refusals.holding);
  }
}

function judgeLift(play: Play, peg: number, house: House): Forecast {
  if (play.held !== null) {
    if (house === 'relaxed') return refused('hand_full', words('race').refusals.handFull);
    return deed({ type: 'two_handed' });
  }
  switch (checkLift(play.board, peg, transfersOf(play))) {
    case 'source_empty':
      return refused('empty_peg', words('race').reasons.sourceEmpty(peg));
    case 'source_sealed':
      return refused('sealed_peg', words('race').reasons.sealed(peg));
    case 'legal':
      return deed({ type: 'lifted', peg });
  }
}

function judgePlace(play: Play, to: number, house: House): Forecast {
  const from = play.held;
  if (from === null) return refused('hand_empty', words('race').refusals.handEmpty);
  const made = transfersOf(play);
  if (to === from) {
    const targets = legalTargets(play.board, from, made);
    if (targets.length === 0) return deed({ type: 'put_back', peg: from });
    const disk = topOf(play.board, from);
    const name = disk === undefined ? words('race').thisDisk : nameOf(disk);
    return refused('touch_and_move', words('race').refusals.touchAndMove(name, targets.length));
  }
  if (check(play.board, from, to, made) === 'legal') return deed({ type: 'transferred', from, to });
  return deed({ type: house === 'strict' ? 'erred' : 'returned', from, to });
}

function judgeUndo(play: Play): Forecast {
  if (play.held !== null) return refused('holding', words('race').refusals.holding);
  const last = play.line.at(-1);
  if (last !== undefined) return deed({ type: 'undone', from: last[0], to: last[1] });
  return play.before > 0
    ? { kind: 'unknown' }
    : refused('nothing_to_undo', words('race').refusals.nothingToUndo);
}

function deed(deed: Deed): Forecast {
  return { kind: 'deed', deed };
}

function refused(code: string, message: string): Forecast {
  return { kind: 'refused', code, message };
}

/** The play after a deed. */
export function applied(play: Play, deed: Deed): Play {
  const next = { ...play, ply: play.ply + (isAccepted(deed) ? 1 : 0) };
  switch (deed.type) {
    case 'lifted':
      return { ...next, held: deed.peg };
    case 'transferred': {
      const board = withTransfer(play.board, deed.from, deed.to);
      return { ...next, held: null, board, line: [...play.line, [deed.from, deed.to]] };
    }
    case 'erred':
      return { ...next, held: null, errors: play.errors + 1 };
    case 'returned':
    case 'put_back':
      return { ...next, held: null };
    case 'two_handed':
      return { ...next, penalties: play.penalties + TWO_HANDED_PENALTY };
    case 'undone': {
      const board = withTransfer(play.board, deed.to, deed.from);
      const known = play.line.length > 0;
      const before = known ? play.before : Math.max(0, play.before - 1);
      return { ...next, board, before, line: play.line.slice(0, -1), flawless: false };
    }
    case 'reset':
      return { ...next, board: play.start, line: [], before: 0, flawless: false };
  }
}

/** A placement error or a penalty is a refusal with an effect: `ply` does not grow. */
function isAccepted(deed: Deed): boolean {
  return deed.type !== 'erred' && deed.type !== 'returned' && deed.type !== 'two_handed';
}

/** What happened to a placement that the rules forbid, for people. */
export function misplacement(play: Play, from: number, to: number, placement: Placement): string {
  const reason = reasonOf(play.board, from, to, transfersOf(play));
  return placement === 'strict' ? words('race').reasons.error(reason) : reason;
}
