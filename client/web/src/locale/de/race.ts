import type english from '../en/race';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
const moves = (number: number): string => count(number, 'Zug', 'Züge');
const errors = (number: number): string => count(number, 'Fehler', 'Fehler');
const towers = (number: number): string => count(number, 'Turm', 'Türme');

const german: typeof english = {
  spectra: { R: 'Rubin', S: 'Saphir', E: 'Smaragd', A: 'Bernstein', V: 'Violett' },
  disk: (spectrum, size) => `${spectrum} ${size}`,
  theDisk: 'Die Scheibe',
  aDisk: 'einer Scheibe',
  thisDisk: 'diese Scheibe',
  moves,
  errors,
  seat: (seat) => `Platz ${seat}`,

  board: {
    own: 'Dein Brett',
    of: (name) => `Brett von ${name}`,
    peg: (peg, load) => `Stab ${peg}: ${load}`,
    empty: 'leer',
    inHand: (disk) => `${disk} in der Hand`,
    sealed: (until) => `versiegelt, ${until}`,
    collared: (places, until) => `${count(places, 'Kragen', 'Kragen')}, ${until}`,
    moreMoves: (number) => `noch ${count(number, 'Zug', 'Züge')} lang`,
    standing: (number) => `bis ${count(number, 'Turm steht', 'Türme stehen')}`,
    full: 'voll',
    home: (spectrum) => `Heimat von ${spectrum}`,
    target: 'nimmt die Scheibe auf',
    hintFrom: 'der Tipp hebt hier',
    hintTo: 'der Tipp legt hier ab',
    untilMoves: moves,
    untilTowers: towers,
    room: (used, places) => `${used} von ${places}`,
  },

  reasons: {
    sourceEmpty: (peg) => `Stab ${peg} ist leer.`,
    sealed: (peg) => `Stab ${peg} ist versiegelt.`,
    samePeg: 'Ein Zug geht auf einen anderen Stab.',
    full: (peg) => `Auf Stab ${peg} ist kein Platz mehr.`,
    spectrum: (disk, below) => `${disk} darf nicht auf ${below} liegen: anderes Spektrum.`,
    size: (disk, below) => `${disk} darf nicht auf ${below} liegen: die untere ist kleiner.`,
    error: (reason) => `Ablegefehler. ${reason}`,
  },

  refusals: {
    undoUnderWay: 'Einen Moment: Ein Zug wird gerade zurückgenommen.',
    noAnswer: 'Einen Moment: Der Server hat noch nicht geantwortet.',
    lockoutRelaxed: 'Sackgasse: Kein Zug ist mehr erlaubt. Nimm zurück oder setz das Brett zurück.',
    lockout: 'Sackgasse: Kein Zug ist mehr erlaubt. Setz das Brett zurück oder gib auf.',
    holding: 'Leg zuerst die Scheibe ab, die du hältst.',
    handFull: 'Du hältst schon eine Scheibe: Leg sie zuerst ab.',
    handEmpty: 'Deine Hand ist leer: Heb zuerst eine Scheibe.',
    touchAndMove: (disk, targets) =>
      `Berührt, geführt: ${disk} kann auf ${targets === 1 ? 'einen anderen Stab' : 'andere Stäbe'} und darf nicht zurück.`,
    nothingToUndo: 'In diesem Anlauf gibt es keinen Zug, den du zurücknehmen könntest.',
  },

  spoken: {
    sitsDown: (name) => `${name} setzt sich.`,
    left: (name) => `${name} ist gegangen.`,
    youHost: 'Du leitest jetzt den Raum.',
    host: (name) => `${name} leitet jetzt den Raum.`,
    lostConnection: (name) => `${name} hat die Verbindung verloren.`,
    ready: (name) => `${name} ist bereit.`,
    boardComes: 'Gleich kommt das Brett.',
    begins: (seconds) => `Das Rennen beginnt in ${count(seconds, 'Sekunde', 'Sekunden')}.`,
    youFinish: (time) => `Die Spire ist erneuert! Du bist nach ${time} im Ziel.`,
    finishes: (name, time) => `${name} ist nach ${time} im Ziel.`,
    youGaveUp: 'Du hast aufgegeben.',
    gaveUp: (name) => `${name} hat aufgegeben.`,
    interrupted: 'Der Server war unterbrochen: Die Uhren stehen.',
    resumed: 'Gleich geht es weiter.',
    roundOver: 'Die Runde ist zu Ende.',
    lifted: (disk, peg) => `${disk} von Stab ${peg} gehoben.`,
    placed: (disk, peg) => `${disk} auf Stab ${peg}.`,
    putBack: (disk, peg) => `${disk} zurück auf Stab ${peg}.`,
    undone: (disk, peg) => `Zurückgenommen: ${disk} wieder auf Stab ${peg}.`,
    reset: 'Ein neuer Anlauf: das Brett vom Anfang.',
  },

  race: {
    heading: 'Das Rennen',
    acts: 'Züge',
    undo: 'Zurück',
    reset: 'Neu beginnen',
    resetAgain: 'Noch einmal: neu',
    finished: (time) => `Die Spire ist erneuert! Gewertet: ${time}.`,
    gaveUp: 'Du hast aufgegeben. Die anderen sind noch im Rennen.',
    lockoutRelaxed: 'Sackgasse: Kein Zug ist mehr möglich. Nimm zurück oder beginn neu.',
    lockout: 'Sackgasse: Kein Zug ist mehr möglich. Beginn neu oder gib auf.',
    choosePeg: 'Wähl den Stab, auf den die Scheibe soll.',
    choosePegOrBack: 'Kein Stab nimmt diese Scheibe auf: Leg sie zurück.',
    tapPeg: 'Tipp auf einen Stab, um die oberste Scheibe zu heben, oder drück seine Zahl.',
    keys: (pegs) => `<k>1</k>–<k>${pegs}</k> heben, ablegen · <k>Esc</k> zurücklegen · <k>R</k> halten: neu beginnen`,
    mute: 'Ton aus',
    unmute: 'Ton an',
    ownProgress: 'Deine fertigen Scheiben',
  },

  countdown: {
    label: 'Countdown',
    begins: (what) => `${what} beginnt`,
    go: 'Los',
    interrupted: 'Der Server war unterbrochen. Die Uhren stehen.',
    dealing: 'Die Sterne ordnen sich: Das Brett wird gegeben.',
    committed: 'Der Server hat sich auf seinen Seed festgelegt: <c></c>',
  },

  racer: {
    finished: (time) => `im Ziel: ${time}`,
    gaveUp: 'aufgegeben',
    away: 'nicht verbunden',
    near: 'fast im Ziel',
    bot: 'Bot',
    settledOf: (name) => `Fertige Scheiben von ${name}`,
    settled: (settled, disks) => `${settled}/${disks ?? '–'} fertig`,
    distance: (name, words) => `Weg bis zur Harmonie von ${name}: ${words}`,
    unknownDistance: 'Weg noch nicht bekannt',
  },

  tracker: {
    label: 'Anzeige',
    of: (time) => `von ${time}`,
    against: (time) => `gegen ${time}`,
    bonus: '+100 unter 2:00',
    bonusPast: '2:00 sind vorbei',
    moves: 'Züge',
    par: 'Par',
    best: 'Optimum',
    errors: 'Fehler',
    record: 'Dein Rekord:',
    flawless: 'Bisher makellos: × 1,5',
    notFlawless: 'Zurückgenommen: kein Bonus für Makelloses',
  },

  text: {
    notation: (name) => `Brett von ${name} in der Notation`,
    noTransfer: 'noch kein Zug',
    copy: 'Brett und Zugfolge kopieren',
  },
};

export default german;
