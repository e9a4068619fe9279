import type english from '../en/hall';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

const german: typeof english = {
  start: {
    title: 'Erneuere die Spire als Erste',
    intro:
      'Zwei bis vier Technomancer, ein Brett, ein Augenblick. Sortiere jedes Spektrum zu einem eigenen Turm, die größte Scheibe unten; eine Scheibe liegt nur auf einer größeren ihres eigenen Spektrums. Die erste saubere Harmonie gewinnt.',
    art: 'Vier Stäbe: Zwei Türme aus je einem Spektrum sind fertig, und eine Scheibe ist unterwegs zum dritten.',
    race: 'Jetzt ins Rennen',
    raceHint: 'Gegen jemanden von deiner Stärke oder einen Bot des Hauses.',
    friends: 'Mit Freunden',
    learn: 'Beim Spielen lernen',
    quick: 'Schnelles Rennen',
    findRace: 'Rennen suchen',
    name: 'Name',
    takeIt: 'Nehmen',
    rename: 'Umbenennen',
    playAs: 'Du spielst als <name>Name</name>.',
    join: 'Beitreten mit Code oder Link',
    joinAction: 'Beitreten',
    watch: 'Einem Rennen zuschauen',
    watchHint: 'Live, mit dem Weg aller bis zur Harmonie.',
  },

  solitude: {
    title: 'Allein in der Spire',
    campaign: 'Kampagne',
    campaignHint: (open) => (open > 1 ? `50 Stufen, ${open} davon offen.` : '50 Stufen, jede mit einer Idee.'),
    daily: 'Daily Spire',
    dailyHint: 'Ein Brett am Tag, ein Versuch, für alle dasselbe.',
    shuffle: 'Shuffle',
    shuffleHint: 'Brett um Brett, ohne Uhr, mit Tipps.',
    tutorial: 'Einführung',
    tutorialHint: 'Die Gesetze und die Techniken, beim Spielen.',
    hanoi: 'Zum Turm',
    hanoiHint: 'Der Klassiker: drei Stäbe, bis zu 64 Scheiben.',
  },

  form: {
    title: 'Einen Raum öffnen',
    board: 'Brett',
    info: (spectra, sizes, pegs, free) =>
      `${count(spectra, 'Spektrum', 'Spektren')} zu ${count(sizes, 'Scheibe', 'Scheiben')} auf ${pegs} Stäben, ${free} davon frei.`,
    reach: (least, most, minutes) => `Bestenfalls in ${least}–${most} Zügen gelöst; ${minutes} Minuten.`,
    seats: 'Plätze',
    players: (seats) => `${seats} Spieler`,
    rounds: 'Runden',
    bestOf: (rounds) => (rounds === 1 ? 'Eine Runde' : `Bester von ${rounds}`),
    list: 'Den Raum für alle sichtbar machen',
    rules: 'Hausregeln',
    contest: 'Es entscheidet',
    opponents: 'Von den Gegnern zeigen',
    placement: 'Ablegen',
    blueprint: 'Auf einer eigenen Blaupause spielen',
    notation: 'Das Brett in Notation',
    open: 'Den Raum öffnen',
    opening: 'Wird geöffnet …',
  },

  list: {
    title: 'Öffentliche Räume',
    unreachable: 'Der Server antwortet gerade nicht.',
    looking: 'Wird gesucht …',
    none: 'Kein öffentlicher Raum ist offen. Öffne einen und mach ihn für alle sichtbar.',
    join: (code) => `${code} beitreten`,
    watch: (code) => `${code} zuschauen`,
    nobody: 'noch niemand',
  },

  quick: {
    title: 'Schnelles Rennen',
    intro: 'Ein gewertetes Rennen gegen Spieler von deiner Stärke: eine Runde, streng, Gegner nur als Fortschritt. Kommt niemand, wird dir ein Bot angeboten.',
    seats: 'Plätze',
    players: (seats) => `${seats} Spieler`,
    board: 'Brett',
    find: 'Rennen suchen',
    room: 'Lieber einen Raum öffnen',
    region: 'Warten',
    notQueued: 'Du bist nicht in der Warteschlange',
    back: 'Zurück',
    elsewhere: 'Du wartest anderswo',
    elsewhereText: 'Du wartest in einem anderen Tab oder auf einem anderen Gerät auf ein Rennen. Dort wird es sich öffnen.',
    takeBack: 'Lieber hier warten',
    toStart: 'Zur Startseite',
    looking: (seats) => (seats === 2 ? 'Ein Gegner wird gesucht' : 'Gegner werden gesucht'),
    wanted: (preset, seats) => `${preset} · ${seats} Spieler · gewertet`,
    lost: 'Die Verbindung ist weg. Neuer Versuch …',
    connecting: 'Wird verbunden …',
    company: (others) => {
      if (others <= 0) return 'Noch wartet niemand sonst auf dieses Rennen.';
      return others === 1 ? 'Noch jemand wartet auf dieses Rennen.' : `${others} andere warten auf dieses Rennen.`;
    },
    anybody: 'Inzwischen ist jede Stärke recht.',
    window: (window) => `Wertungen bis ${window} auseinander; je länger du wartest, desto weiter.`,
    offer: 'Angebot',
    offerText: (rating) => `Noch ist niemand gekommen. <bot>Bot</bot> würde gegen dich antreten: ein Bot des Hauses mit Wertung ${rating}. Deine Wertung bleibt, wie sie ist.`,
    accept: 'Gegen den Bot antreten',
    opening: 'Das Rennen wird geöffnet …',
    decline: 'Weiter warten',
    leave: 'Warteschlange verlassen',
  },

  watch: {
    title: 'Zuschauen',
    unreachable: 'Der Server antwortet gerade nicht.',
    label: 'Laufende Rennen',
    live: 'Live',
    looking: 'Wird gesucht …',
    none: 'Gerade spielt niemand öffentlich. Sichtbare Räume und gewertete Rennen stehen hier, solange sie dauern.',
    watch: 'Zuschauen',
    watchWhom: (who) => `Zuschauen: ${who}`,
    against: ' gegen ',
    nobody: 'noch niemand',
    bot: 'Bot',
    late: (seconds) => `${seconds} s später`,
    featured: 'Das Rennen des Augenblicks',
    watchThis: 'Diesem Rennen zuschauen',
  },

  lost: {
    title: 'Hier ist nichts',
    heading: 'Kein Stern an dieser Stelle',
    text: 'Diese Adresse führt nirgendwohin. Der Link eines Raums endet mit <code>/r/</code> und seinem Code.',
  },
};

export default german;
