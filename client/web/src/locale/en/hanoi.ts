// The classic tower: what is told of it is held to `shared/data/classic.json`.

export default {
  title: 'The classic tower',
  how: 'How',
  watch: 'Watch',
  byHand: 'By hand',
  tower: 'Tower',
  choose: 'Choose a tower',
  figures: 'Figures',
  takes: 'What it takes',
  takesMoves: (disks: number, moves: string) =>
    `${disks === 1 ? '1 disk takes' : `${disks} disks take`} 2<exponent>${disks}</exponent> − 1 = <moves>${moves}</moves> ${moves === '1' ? 'move' : 'moves'}.`,
  takesTime: (time: string) => `At one a second: <time>${time}</time>.`,
  noDisks: 'No disks, no moves: the tower stands on every peg at once.',
  nothingMoved: 'Nothing has moved yet.',
  moved: (disk: number, from: number, to: number) => `Disk ${disk} from peg ${from} to peg ${to}.`,
  watchKeys: '<k>Space</k> play · <k>←</k> <k>→</k> step · <k>−</k> <k>+</k> speed · <k>Home</k> <k>End</k> · <k>H</k> by hand',
  handKeys: '<k>1</k> <k>2</k> <k>3</k> lift, place · <k>Esc</k> put back · <k>?</k> hint · <k>Enter</k> best move · <k>R</k> start over · <k>H</k> watch',
  copy: 'Copy link to this position',

  form: {
    disks: 'Disks',
    from: 'From peg',
    to: 'To peg',
    method: 'Method',
    same: 'All four make the same moves.',
  },
  methods: {
    recursive: 'Recursive',
    smallest: 'Smallest disk',
    cyclic: 'Peg pairs',
    parity: 'Odd and even',
  },
  /** What each method does. */
  hows: {
    recursive: 'Bring all smaller disks out of the way, the largest over, and the smaller ones after it. The same for each of them.',
    smallest: 'Every odd move takes the smallest disk one peg further on its round. Every even move is the only one that leaves it alone.',
    cyclic: 'Three pairs of pegs take turns. Between two pegs only one move is allowed: make it.',
    parity: 'Odd disks go one way round, even disks the other, and no disk moves twice running. One move is left each time.',
  },
  /** Why a method makes a move. Ways are written `1-3` or `1-3-2`. */
  reasons: {
    one: (way: string) => `Disk 1 goes ${way}: nothing lies on it.`,
    two: (way: string, spare: number) => `Disks 1 and 2 go ${way}: 1 waits on peg ${spare}, now 2 goes, then 1 follows.`,
    many: (disk: number, way: string, spare: number) =>
      `Disks 1 to ${disk} go ${way}: ${disk === 3 ? '1 and 2' : `1 to ${disk - 1}`} wait on peg ${spare}, now ${disk} goes, then they follow.`,
    oddMove: (round: string) => `An odd move: disk 1 goes on its round ${round}.`,
    evenMove: (rests: number, a: number, b: number, disk: number) =>
      `An even move: disk 1 rests on peg ${rests}; between pegs ${a} and ${b} only disk ${disk} can go.`,
    pair: (pair: number, a: number, b: number, disk: number) =>
      `Pair ${pair} of 3 is pegs ${a} and ${b}: between them only disk ${disk} can go.`,
    /** `last`: the disk that has just moved, if there is one. */
    parity: (disk: number, round: string, last: number | null) =>
      `Disk ${disk} is ${disk % 2 === 0 ? 'even' : 'odd'} and goes round ${round}: ${last === null ? 'no other can' : `disk ${last} has just moved, and no other can`}.`,
  },
  times: {
    seconds: (count: bigint) => `${count} second${count === 1n ? '' : 's'}`,
    minutes: (count: bigint) => `${count} minute${count === 1n ? '' : 's'}`,
    hours: (count: bigint) => `${count} hour${count === 1n ? '' : 's'}`,
    days: (count: bigint) => `${count} day${count === 1n ? '' : 's'}`,
    years: (count: bigint) => `${count} year${count === 1n ? '' : 's'}`,
    millions: (count: bigint) => `${count} million years`,
    billions: (count: bigint) => `${count} billion years`,
    ages: (time: string, ages: string) => `${time}, ${ages} ages of the universe`,
  },
  /** What a screen reader is told of a peg. */
  peg: {
    empty: (peg: number) => `Peg ${peg}: empty`,
    disks: (peg: number, disks: string, isOne: boolean) => `Peg ${peg}: disk${isOne ? '' : 's'} ${disks}`,
    run: (first: number, last: number) => `${first} to ${last}`,
    inHand: (disk: number) => `; disk ${disk} in the hand`,
  },
  table: 'The tower',
  tableByHand: 'The tower, by hand',
  from: 'from',
  to: 'to',
  /** Under a peg whose disks are too thin for numbers. */
  loadEmpty: 'empty',
  load: (disks: number, top: number) => `${disks} disk${disks === 1 ? '' : 's'}, ${top} on top`,

  controls: {
    name: 'Playback',
    play: 'Play',
    pause: 'Pause',
    back: 'One move back',
    on: 'One move on',
    speed: 'Speed',
    aSecond: (moves: string) => `${moves} / s`,
    made: 'Moves made',
    progress: (made: string, all: string) => `${made} of ${all}`,
    jump: 'Go to the position after move',
    go: 'Go',
    whole: (most: string) => `Give a whole number from 0 to ${most}.`,
  },
  hand: {
    hint: 'Hint',
    best: 'Best move',
    again: 'Start over',
    made: (made: string, left: string) => `<made>${made}</made> made · <left>${left}</left> left at best`,
    first: 'Lift a disk, then place it. A move is taken back by the way it came.',
    back: (disk: number, peg: number) => `Disk ${disk} back on peg ${peg}.`,
    lifted: (disk: number, peg: number) => `Disk ${disk} lifted from peg ${peg}.`,
    placed: (disk: number, peg: number) => `Disk ${disk} on peg ${peg}.`,
    hinted: (disk: number, from: number, to: number) => `Hint: disk ${disk} from peg ${from} to peg ${to}.`,
    done: (peg: number, moves: number, needless: string) =>
      `The tower stands on peg ${peg} after ${moves} move${moves === 1 ? '' : 's'}, ${needless}.`,
    fewest: 'the fewest there are',
    needless: (moves: string) => `${moves} more than needed`,
  },
  /** Why a move is not allowed. */
  refused: {
    empty: (peg: number) => `Peg ${peg} is empty: lift a disk from another one.`,
    same: (disk: number, peg: number) => `Disk ${disk} is on peg ${peg} already: place it on another peg.`,
    smaller: (disk: number, below: number) =>
      `Disk ${disk} cannot rest on disk ${below}: place it on an empty peg or on a larger disk.`,
  },
  shares: { name: 'Moves of each disk', disk: 'Disk', moves: 'Moves', round: 'Round' },

  story: {
    name: 'The story',
    heading: 'Sixty-four golden disks',
    lucas:
      'In 1883 a new puzzle was for sale in Paris: a tower of wooden disks on three pegs, brought home from Tonkin, its leaflet said, by one N. Claus de Siam. Nobody of that name had ever been there. Shuffle its letters and they read Lucas d’Amiens: Édouard Lucas, who taught mathematics in Paris and liked numbers best when they play.',
    temple:
      'The leaflet told of a temple with three diamond needles, and of sixty-four disks of pure gold that were threaded on one of them when the world began. Day and night they are carried over, one at a time, and none may rest on a smaller one. When the whole tower stands on another needle, temple and world will fall to dust.',
    time: (seconds: string, time: string) =>
      `There is time. At one move a second, without a single mistake, it takes 2<exponent>64</exponent> − 1 = <b>${seconds}</b> seconds: about <b>${time}</b>.`,
  },
};
