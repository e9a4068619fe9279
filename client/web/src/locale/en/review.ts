// How far a board is from harmony, and what a round's analysis says of it.

export default {
  /** Of a board from which nothing leads to harmony. */
  lost: 'lost',
  harmony: 'harmony',
  /** `14`, or `12–17` where only bounds are known. */
  toGo: (distance: string) => `${distance} to go`,
  atLeast: (distance: string) => `at least ${distance} to go`,
  cost: (transfers: number) => `cost ${transfers} ${transfers === 1 ? 'transfer' : 'transfers'}`,
  lostTheBoard: 'lost the board',
  /** The summary of a round: a sentence on each racer, and one on the lead. */
  summary: {
    lost: (name: string, time: string) => `${name} lost the board at ${time}.`,
    noTransfer: (name: string) => `${name} made no transfer.`,
    wasted: (name: string, transfers: number) => `${name} wasted ${transfers} ${transfers === 1 ? 'transfer' : 'transfers'}.`,
    nothing: (name: string) => `${name} wasted nothing.`,
    nothingKnown: (name: string) => `${name} wasted nothing that is known.`,
    lead: (changes: number, time: string, name: string) =>
      `The lead changed hands ${changes === 1 ? 'once' : `${changes} times`}, last at ${time} to ${name}.`,
  },
  /** The table of figures by racer. */
  table: 'Analysis by racer',
  figure: 'Figure',
  transfers: 'Transfers',
  optimal: 'On a shortest way',
  wasteful: 'Beside it',
  wasted: 'Wasted in all',
  undone: 'Taken back',
  resets: 'Resets',
  errors: 'Placement errors',
  penalties: 'Penalty moves',
  first: 'First transfer',
  median: 'A transfer, median',
  longest: 'A transfer, longest',
  lostSince: 'Board lost since',
  never: 'never',
  ledFirst: (name: string) => `${name} led first`,
  /** Follows the sentence before it. */
  thenLed: (name: string) => `, then ${name} from `,
  onlyBounds: 'This board has too many positions to know every distance: where only bounds are known, nothing is counted as wasted.',
};
