import type english from '../en/core';

const german: typeof english = {
  partMissing: 'Dieser Teil der Seite konnte nicht geladen werden. Prüfe die Verbindung und lade die Seite dann neu.',
  loadAnew: 'Seite neu laden',

  head: {
    main: 'Hauptmenü',
    campaign: 'Kampagne',
    watch: 'Zuschauen',
    leaderboard: 'Bestenliste',
    rules: 'Regeln',
    you: 'Du',
    lost: (name) => `${name} ist hier nicht mehr angemeldet: auf einem anderen Gerät abgemeldet oder gelöscht.`,
    logInAgain: 'Wieder anmelden',
  },

  settings: {
    title: 'Einstellungen',
    close: 'Schließen',
    language: 'Sprache',
    languageMissing: 'Diese Sprache konnte nicht geladen werden. Prüfe die Verbindung und versuche es noch einmal.',
    theme: 'Farben',
    themes: { system: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
    motion: 'Bewegung',
    motions: { system: 'Wie das Gerät', less: 'Weniger' },
    board: 'Brett',
    boards: { drawn: 'Gezeichnet', text: 'Als Text' },
    sound: 'Ton',
    sounds: 'Töne abspielen',
    volume: 'Lautstärke',
    percent: (volume) => `${volume} %`,
    haptics: 'Das Telefon darf vibrieren',
    kept: 'Wird in diesem Browser gemerkt; ein Rennen läuft solange weiter.',
  },

  copy: { copied: 'Kopiert' },

  lost: {
    title: 'Hier ist nichts',
    heading: 'Kein Stern an dieser Stelle',
    text: 'Diese Adresse führt nirgendwohin. Der Link eines Raums endet mit <code>/r/</code> und seinem Code.',
    toStart: 'Zur Startseite',
  },

  presets: {
    initiate: 'Initiate',
    apprentice: 'Apprentice',
    standard: 'Standard',
    expert: 'Expert',
    master: 'Master',
    grandmaster: 'Grandmaster',
    spire: 'Spire',
    marathon: 'Marathon',
  },
  blueprint: 'Blaupause',

  contests: { fastest: 'Schnellste Harmonie', fewest: 'Wenigste Züge' },
  placements: { strict: 'Streng: falsch abgelegt ist ein Fehler', guarded: 'Geführt: erlaubte Ziele werden gezeigt' },
  opponents: { boards: 'Bretter', progress: 'Nur den Fortschritt' },
  endings: {
    first_decided: 'Der erste Platz ist entschieden.',
    nobody_at_work: 'Niemand spielt mehr.',
    time_up: 'Die Zeit ist um.',
  },
  phases: {
    lobby: 'noch nicht begonnen',
    dealing: 'beginnt gleich',
    countdown: 'beginnt gleich',
    racing: 'im Rennen',
    paused: 'unterbrochen',
    break: 'zwischen zwei Runden',
    over: 'vorbei',
    closed: 'geschlossen',
  },

  summary: {
    seats: (count) => `${count} Plätze`,
    rounds: (count) => (count === 1 ? 'eine Runde' : `bester von ${count}`),
    contests: { fastest: 'schnellste Harmonie', fewest: 'wenigste Züge' },
    placements: { strict: 'streng', guarded: 'geführt' },
    asProgress: 'Gegner nur als Fortschritt',
    rated: 'gewertet',
  },

  solo: {
    stage: (stage) => `Stufe ${stage}`,
    lesson: (lesson) => `Lektion ${lesson}`,
    shuffle: 'Infinite Shuffle',
    daily: (day) => `Daily Spire ${day}`,
    dailyPractice: (day) => `Daily Spire ${day}, Übung`,
  },

  ordinal: (rank) => `${rank}.`,
  waiting: (count) => {
    if (count === 0) return 'Im Moment wartet niemand.';
    return count === 1 ? 'Gerade wartet eine Person auf ein Rennen.' : `Gerade warten ${count} auf ein Rennen.`;
  },
  viewers: (count) => `${count} Zuschauer`,

  problems: {
    network: 'Der Server antwortet nicht. Prüfe die Verbindung und versuche es noch einmal.',
    unreadable: 'Die Antwort des Servers ist nicht zu lesen. Versuche es gleich noch einmal.',
    unauthorized: 'Du bist hier nicht mehr angemeldet.',
    name_taken: 'Jemand hat diesen Namen oder einen, der fast gleich aussieht: Wähle einen anderen.',
    wrong_password: 'Der Name oder das Passwort ist falsch.',
    banned: 'Der Betreiber dieses Servers hat dich ausgesperrt.',
    bad_token: 'Dieser Server kennt dich nicht mehr.',
    logged_out: 'Dieses Gerät ist abgemeldet worden: Melde dich wieder an, um weiterzumachen.',
    rate_limited: 'Zu viel auf einmal: Versuche es gleich noch einmal.',
    busy: 'Der Server ist beschäftigt: Versuche es in ein paar Sekunden noch einmal.',
    full: 'Der Server ist voll: Versuche es später noch einmal.',
    unavailable: 'Der Server kann gerade nichts speichern: Versuche es bald noch einmal.',
    timeout: 'Das hat dem Server zu lange gedauert. Versuche es noch einmal.',
    damaged: 'Was der Server davon gespeichert hat, ist beschädigt und kann nicht gezeigt werden.',
    internal: 'Der Server hat einen Fehler gemacht.',
    locked: 'Diese Stufe ist noch nicht offen: Löse erst die davor.',
    no_board: 'In diesem Raum liegt gerade kein Brett.',
    already_tried: 'Jeder Tag hat einen gewerteten Versuch, und deiner ist vorbei: Übe oder komm morgen wieder.',
    no_such_room: 'Diesen Raum gibt es nicht, oder er ist geschlossen.',
    closed: 'Dieser Raum ist geschlossen.',
    kicked: 'Der Host hat dich aus diesem Raum weggeschickt.',
    no_opponent: 'Zu diesem Rennen kam sonst niemand.',
    no_seat: 'In diesem Raum ist gerade kein Platz frei; du darfst zuschauen.',
    no_spectators: 'In diesem Raum schaut niemand zu.',
    too_many_spectators: 'Hier schauen so viele zu, wie dürfen: Komm gleich noch einmal.',
    racing: 'Du bist in diesem Raum im Rennen: Zuschauen kannst du danach.',
    too_slow: 'Diese Verbindung kam nicht mit.',
    not_host: 'Das darf nur der Host des Raums.',
    somebody_else: 'Dort sitzt jetzt jemand anderes: Es ist nichts geschehen.',
    not_connected: 'Keine Verbindung: Versuche es gleich noch einmal.',
    not_started: 'Das Rennen hat noch nicht begonnen.',
    not_racing: 'Gerade läuft kein Rennen.',
    paused: 'Das Rennen ist unterbrochen und geht gleich weiter.',
    finished: 'Du bist schon im Ziel.',
    gave_up: 'Du hast aufgegeben.',
    time_up: 'Die Zeit ist um.',
    used_up: 'Dieser Raum hat alle Handgriffe verbraucht, die er darf: Gib auf oder geh, und beginne neu.',
    not_queued: 'Du bist nicht mehr in der Warteschlange.',
    not_offered: 'Es wurde kein Bot angeboten: Warte auf das Angebot.',
  },
};

export default german;
