import type english from '../en/review';

const german: typeof english = {
  lost: 'verloren',
  harmony: 'Harmonie',
  toGo: (distance) => `noch ${distance}`,
  atLeast: (distance) => `noch mindestens ${distance}`,
  cost: (transfers) => `kostete ${transfers} ${transfers === 1 ? 'Zug' : 'Züge'}`,
  lostTheBoard: 'verlor das Brett',
  summary: {
    lost: (name, time) => `${name} verlor das Brett bei ${time}.`,
    noTransfer: (name) => `${name} machte keinen Zug.`,
    wasted: (name, transfers) => `${name} verschenkte ${transfers} ${transfers === 1 ? 'Zug' : 'Züge'}.`,
    nothing: (name) => `${name} verschenkte nichts.`,
    nothingKnown: (name) => `${name} verschenkte nichts, soweit bekannt.`,
    lead: (changes, time, name) =>
      `Die Führung wechselte ${changes === 1 ? 'einmal' : `${changes}-mal`}, zuletzt bei ${time} zu ${name}.`,
  },
  table: 'Analyse je Spieler',
  figure: 'Kennzahl',
  transfers: 'Züge',
  optimal: 'Auf einem kürzesten Weg',
  wasteful: 'Daneben',
  wasted: 'Insgesamt verschenkt',
  undone: 'Zurückgenommen',
  resets: 'Zurückgesetzt',
  errors: 'Ablegefehler',
  penalties: 'Strafzüge',
  first: 'Erster Zug',
  median: 'Ein Zug, Median',
  longest: 'Ein Zug, längster',
  lostSince: 'Brett verloren seit',
  never: 'nie',
  ledFirst: (name) => `Zuerst führte ${name}`,
  thenLed: (name) => `, dann ${name} ab `,
  onlyBounds: 'Dieses Brett hat zu viele Stellungen, um jeden Abstand zu kennen: Wo nur Schranken bekannt sind, gilt nichts als verschenkt.',
};

export default german;
