// A board and who plays on it.

/** `1 move`, `2 moves`. */
const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
const moves = (number: number): string => count(number, 'move', 'moves');
const errors = (number: number): string => count(number, 'error', 'errors');
const towers = (number: number): string => count(number, 'tower', 'towers');

export default {
  spectra: { R: 'Ruby', S: 'Sapphire', E: 'Emerald', A: 'Amber', V: 'Violet' },
  /** A disk as people say it. */
  disk: (spectrum: string, size: number): string => `${spectrum} ${size}`,
  theDisk: 'The disk',
  aDisk: 'a disk',
  thisDisk: 'this disk',
  moves,
  errors,
  seat: (seat: number): string => `Seat ${seat}`,

  board: {
    own: 'Your board',
    of: (name: string): string => `Board of ${name}`,
    peg: (peg: number, load: string): string => `Peg ${peg}: ${load}`,
    empty: 'empty',
    inHand: (disk: string): string => `${disk} in the hand`,
    sealed: (until: string): string => `sealed ${until}`,
    collared: (places: number, until: string): string => `${count(places, 'place', 'places')} collared ${until}`,
    moreMoves: (number: number): string => `for ${count(number, 'more move', 'more moves')}`,
    standing: (number: number): string => `until ${count(number, 'tower stands', 'towers stand')}`,
    full: 'full',
    home: (spectrum: string): string => `home of ${spectrum}`,
    target: 'takes the disk',
    hintFrom: 'the hint lifts here',
    hintTo: 'the hint places here',
    /** What a lock ring still waits for, short, on the board. */
    untilMoves: moves,
    untilTowers: towers,
    /** Of the text board: places that are taken, and all of them. */
    room: (used: number, places: number): string => `${used} of ${places}`,
  },

  reasons: {
    sourceEmpty: (peg: number): string => `Peg ${peg} is empty.`,
    sealed: (peg: number): string => `Peg ${peg} is sealed.`,
    samePeg: 'A transfer goes to another peg.',
    full: (peg: number): string => `Peg ${peg} has no room.`,
    spectrum: (disk: string, below: string): string => `${disk} cannot rest on ${below}: another spectrum.`,
    size: (disk: string, below: string): string => `${disk} cannot rest on ${below}: it is smaller.`,
    error: (reason: string): string => `Placement error. ${reason}`,
  },

  refusals: {
    undoUnderWay: 'One moment: an undo is under way.',
    noAnswer: 'One moment: the server has yet to answer.',
    lockoutRelaxed: 'Lockout: no legal transfer exists. Undo, or reset.',
    lockout: 'Lockout: no legal transfer exists. Reset, or give up.',
    holding: 'Place the held disk first.',
    handFull: 'The hand holds a disk already: place it first.',
    handEmpty: 'The hand is empty: lift a disk first.',
    touchAndMove: (disk: string, targets: number): string =>
      `Touch-and-move: ${disk} can go to ${targets === 1 ? 'another peg' : 'other pegs'}, so it cannot be put back.`,
    nothingToUndo: 'There is no transfer to undo in this attempt.',
  },

  spoken: {
    sitsDown: (name: string): string => `${name} sits down.`,
    left: (name: string): string => `${name} left.`,
    youHost: 'You are the host now.',
    host: (name: string): string => `${name} is the host now.`,
    lostConnection: (name: string): string => `${name} lost the connection.`,
    ready: (name: string): string => `${name} is ready.`,
    boardComes: 'The board comes in a moment.',
    begins: (seconds: number): string => `The race begins in ${count(seconds, 'second', 'seconds')}.`,
    youFinish: (time: string): string => `Spire Restored! You finish in ${time}.`,
    finishes: (name: string, time: string): string => `${name} finishes in ${time}.`,
    youGaveUp: 'You gave up.',
    gaveUp: (name: string): string => `${name} gave up.`,
    interrupted: 'The server was interrupted: clocks stand still.',
    resumed: 'Play goes on in a moment.',
    roundOver: 'The round is over.',
    lifted: (disk: string, peg: number): string => `${disk} lifted from peg ${peg}.`,
    placed: (disk: string, peg: number): string => `${disk} on peg ${peg}.`,
    putBack: (disk: string, peg: number): string => `${disk} back on peg ${peg}.`,
    undone: (disk: string, peg: number): string => `Undone: ${disk} back on peg ${peg}.`,
    reset: 'A new attempt: the start board.',
  },

  race: {
    heading: 'The race',
    acts: 'Acts',
    undo: 'Undo',
    reset: 'Reset',
    resetAgain: 'Again to reset',
    finished: (time: string): string => `Spire Restored! ${time} official.`,
    gaveUp: 'You gave up. The others race on.',
    lockoutRelaxed: 'Lockout: no legal transfer is left. Undo, or reset.',
    lockout: 'Lockout: no legal transfer is left. Reset, or give up.',
    choosePeg: 'Choose the peg to place the disk on.',
    choosePegOrBack: 'No peg takes this disk: put it back.',
    tapPeg: 'Tap a peg to lift its top disk, or press its number.',
    keys: (pegs: number): string => `<k>1</k>–<k>${pegs}</k> lift, place · <k>Esc</k> put back · hold <k>R</k> to reset`,
    mute: 'Sound off',
    unmute: 'Sound on',
    ownProgress: 'Your settled disks',
  },

  countdown: {
    label: 'Countdown',
    begins: (what: string): string => `${what} begins`,
    go: 'Go',
    interrupted: 'The server was interrupted. Clocks stand still.',
    dealing: 'The stars align: the board is being dealt.',
    committed: 'The server has committed itself to its seed: <c></c>',
  },

  racer: {
    finished: (time: string): string => `finished ${time}`,
    gaveUp: 'gave up',
    away: 'not connected',
    near: 'nearly there',
    bot: 'bot',
    settledOf: (name: string): string => `Settled disks of ${name}`,
    settled: (settled: number, disks: number | null): string => `${settled}/${disks ?? '–'} settled`,
    distance: (name: string, words: string): string => `Distance to harmony of ${name}: ${words}`,
    unknownDistance: 'distance not known yet',
  },

  tracker: {
    label: 'Tracker',
    of: (time: string): string => `of ${time}`,
    against: (time: string): string => `against ${time}`,
    bonus: '+100 under 2:00',
    bonusPast: '2:00 has passed',
    moves: 'Moves',
    par: 'Par',
    best: 'Best known',
    errors: 'Errors',
    record: 'Your record:',
    flawless: 'Flawless so far: × 1.5',
    notFlawless: 'Undo or reset used: no flawless bonus',
  },

  text: {
    notation: (name: string): string => `Board of ${name} in the notation`,
    noTransfer: 'no transfer yet',
    copy: 'Copy board and line',
  },
};
