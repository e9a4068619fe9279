import type english from '../en/hanoi';

const german: typeof english = {
  title: 'Der klassische Turm',
  how: 'Wie',
  watch: 'Zuschauen',
  byHand: 'Von Hand',
  tower: 'Turm',
  choose: 'Einen Turm wählen',
  figures: 'Zahlen',
  takes: 'Was er braucht',
  takesMoves: (disks, moves) =>
    `${disks === 1 ? '1 Scheibe braucht' : `${disks} Scheiben brauchen`} 2<exponent>${disks}</exponent> − 1 = <moves>${moves}</moves> ${moves === '1' ? 'Zug' : 'Züge'}.`,
  takesTime: (time) => `Bei einem Zug je Sekunde: <time>${time}</time>.`,
  noDisks: 'Keine Scheiben, keine Züge: Der Turm steht auf allen Stäben zugleich.',
  nothingMoved: 'Noch hat sich nichts bewegt.',
  moved: (disk, from, to) => `Scheibe ${disk} von Stab ${from} auf Stab ${to}.`,
  watchKeys: '<k>Leertaste</k> abspielen · <k>←</k> <k>→</k> Schritt · <k>−</k> <k>+</k> Tempo · <k>Pos1</k> <k>Ende</k> · <k>H</k> von Hand',
  handKeys: '<k>1</k> <k>2</k> <k>3</k> heben, ablegen · <k>Esc</k> zurücklegen · <k>?</k> Tipp · <k>Enter</k> bester Zug · <k>R</k> von vorn · <k>H</k> zuschauen',
  copy: 'Link zu dieser Stellung kopieren',

  form: {
    disks: 'Scheiben',
    from: 'Von Stab',
    to: 'Auf Stab',
    method: 'Verfahren',
    same: 'Alle vier machen dieselben Züge.',
  },
  methods: {
    recursive: 'Rekursiv',
    smallest: 'Kleinste Scheibe',
    cyclic: 'Stabpaare',
    parity: 'Gerade und ungerade',
  },
  hows: {
    recursive: 'Bring alle kleineren Scheiben aus dem Weg, die größte hinüber, und die kleineren hinterher. Für jede von ihnen gilt dasselbe.',
    smallest: 'Jeder ungerade Zug führt die kleinste Scheibe auf ihrer Runde einen Stab weiter. Jeder gerade Zug ist der einzige, der sie in Ruhe lässt.',
    cyclic: 'Drei Paare von Stäben wechseln sich ab. Zwischen zwei Stäben ist nur ein Zug erlaubt: Mach ihn.',
    parity: 'Ungerade Scheiben gehen in der einen Richtung herum, gerade in der anderen, und keine bewegt sich zweimal nacheinander. Ein Zug bleibt jedes Mal übrig.',
  },
  reasons: {
    one: (way) => `Scheibe 1 geht ${way}: Nichts liegt auf ihr.`,
    two: (way, spare) => `Scheiben 1 und 2 gehen ${way}: 1 wartet auf Stab ${spare}, jetzt geht 2, dann folgt 1.`,
    many: (disk, way, spare) =>
      `Scheiben 1 bis ${disk} gehen ${way}: ${disk === 3 ? '1 und 2' : `1 bis ${disk - 1}`} warten auf Stab ${spare}, jetzt geht ${disk}, dann folgen sie.`,
    oddMove: (round) => `Ein ungerader Zug: Scheibe 1 geht ihre Runde ${round} weiter.`,
    evenMove: (rests, a, b, disk) =>
      `Ein gerader Zug: Scheibe 1 ruht auf Stab ${rests}; zwischen Stab ${a} und ${b} kann nur Scheibe ${disk} gehen.`,
    pair: (pair, a, b, disk) => `Paar ${pair} von 3 sind die Stäbe ${a} und ${b}: Zwischen ihnen kann nur Scheibe ${disk} gehen.`,
    parity: (disk, round, last) =>
      `Scheibe ${disk} ist ${disk % 2 === 0 ? 'gerade' : 'ungerade'} und geht ${round} herum: ${last === null ? 'Keine andere kann' : `Scheibe ${last} hat sich eben bewegt, und keine andere kann`}.`,
  },
  times: {
    seconds: (count) => `${count} Sekunde${count === 1n ? '' : 'n'}`,
    minutes: (count) => `${count} Minute${count === 1n ? '' : 'n'}`,
    hours: (count) => `${count} Stunde${count === 1n ? '' : 'n'}`,
    days: (count) => `${count} Tag${count === 1n ? '' : 'e'}`,
    years: (count) => `${count} Jahr${count === 1n ? '' : 'e'}`,
    millions: (count) => `${count} ${count === 1n ? 'Million' : 'Millionen'} Jahre`,
    billions: (count) => `${count} ${count === 1n ? 'Milliarde' : 'Milliarden'} Jahre`,
    ages: (time, ages) => `${time}, das ${ages}-Fache des Alters der Welt`,
  },
  peg: {
    empty: (peg) => `Stab ${peg}: leer`,
    disks: (peg, disks, isOne) => `Stab ${peg}: Scheibe${isOne ? '' : 'n'} ${disks}`,
    run: (first, last) => `${first} bis ${last}`,
    inHand: (disk) => `; Scheibe ${disk} in der Hand`,
  },
  table: 'Der Turm',
  tableByHand: 'Der Turm, von Hand',
  from: 'von',
  to: 'nach',
  loadEmpty: 'leer',
  load: (disks, top) => `${disks} Scheibe${disks === 1 ? '' : 'n'}, ${top} oben`,

  controls: {
    name: 'Wiedergabe',
    play: 'Abspielen',
    pause: 'Pause',
    back: 'Einen Zug zurück',
    on: 'Einen Zug weiter',
    speed: 'Tempo',
    aSecond: (moves) => `${moves} / s`,
    made: 'Gemachte Züge',
    progress: (made, all) => `${made} von ${all}`,
    jump: 'Zur Stellung nach Zug',
    go: 'Los',
    whole: (most) => `Gib eine ganze Zahl von 0 bis ${most} an.`,
  },
  hand: {
    hint: 'Tipp',
    best: 'Bester Zug',
    again: 'Von vorn',
    made: (made, left) => `<made>${made}</made> gemacht · noch <left>${left}</left> im besten Fall`,
    first: 'Hebe eine Scheibe, dann lege sie ab. Einen Zug nimmst du auf dem Weg zurück, den er kam.',
    back: (disk, peg) => `Scheibe ${disk} zurück auf Stab ${peg}.`,
    lifted: (disk, peg) => `Scheibe ${disk} von Stab ${peg} gehoben.`,
    placed: (disk, peg) => `Scheibe ${disk} auf Stab ${peg}.`,
    hinted: (disk, from, to) => `Tipp: Scheibe ${disk} von Stab ${from} auf Stab ${to}.`,
    done: (peg, moves, needless) => `Der Turm steht auf Stab ${peg} nach ${moves} ${moves === 1 ? 'Zug' : 'Zügen'}, ${needless}.`,
    fewest: 'weniger geht nicht',
    needless: (moves) => `${moves} mehr als nötig`,
  },
  refused: {
    empty: (peg) => `Stab ${peg} ist leer: Hebe eine Scheibe von einem anderen.`,
    same: (disk, peg) => `Scheibe ${disk} liegt schon auf Stab ${peg}: Lege sie auf einen anderen Stab.`,
    smaller: (disk, below) =>
      `Scheibe ${disk} kann nicht auf Scheibe ${below} liegen: Lege sie auf einen leeren Stab oder auf eine größere Scheibe.`,
  },
  shares: { name: 'Züge jeder Scheibe', disk: 'Scheibe', moves: 'Züge', round: 'Runde' },

  story: {
    name: 'Die Geschichte',
    heading: 'Vierundsechzig goldene Scheiben',
    lucas:
      'Im Jahr 1883 gab es in Paris ein neues Rätsel zu kaufen: einen Turm hölzerner Scheiben auf drei Stäben, aus Tonkin mitgebracht, so sagte das Beiblatt, von einem gewissen N. Claus de Siam. Niemand dieses Namens war je dort gewesen. Stellt man die Buchstaben um, so liest man Lucas d’Amiens: Édouard Lucas, der in Paris Mathematik lehrte und Zahlen am liebsten mochte, wenn sie spielen.',
    temple:
      'Das Beiblatt erzählte von einem Tempel mit drei diamantenen Nadeln und von vierundsechzig Scheiben aus reinem Gold, die auf eine von ihnen gesteckt wurden, als die Welt begann. Tag und Nacht werden sie hinübergetragen, eine nach der anderen, und keine darf auf einer kleineren ruhen. Steht der ganze Turm auf einer anderen Nadel, zerfallen Tempel und Welt zu Staub.',
    time: (seconds, time) =>
      `Es ist noch Zeit. Bei einem Zug je Sekunde und ohne einen einzigen Fehler dauert es 2<exponent>64</exponent> − 1 = <b>${seconds}</b> Sekunden: ungefähr <b>${time}</b>.`,
  },
};

export default german;
