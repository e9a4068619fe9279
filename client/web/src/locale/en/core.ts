// What every page says.

export default {
  /** The page is there, its part is not: a new version, or no connection. */
  partMissing: 'This part of the page could not be loaded. Check the connection, then load the page anew.',
  loadAnew: 'Load the page anew',

  head: {
    main: 'Main',
    campaign: 'Campaign',
    watch: 'Watch',
    leaderboard: 'Leaderboard',
    rules: 'Rules',
    you: 'You',
    lost: (name: string) => `${name} is not logged in here any more: logged out on another device, or deleted.`,
    settings: 'Settings',
    toStart: 'To the start page',
    logInAgain: 'Log in again',
  },

  name: { label: 'Your name', placeholder: 'made up if left empty' },
  copy: { copied: 'Copied' },

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
  blueprint: 'Blueprint',

  /** What decides a round. */
  contests: { fastest: 'Fastest harmony', fewest: 'Fewest moves' },
  /** What an illegal placement costs. */
  placements: { strict: 'Strict: a wrong placement is an error', guarded: 'Guarded: legal targets are shown' },
  /** What racers see of each other. */
  opponents: { boards: 'Boards', progress: 'Progress only' },
  /** Why a round ended. */
  endings: {
    first_decided: 'First place is decided.',
    nobody_at_work: 'Nobody is at work any more.',
    time_up: 'The time is up.',
  },
  /** What a room is doing, for those who choose what to watch. */
  phases: {
    lobby: 'not begun',
    dealing: 'about to begin',
    countdown: 'about to begin',
    racing: 'racing',
    paused: 'interrupted',
    break: 'between rounds',
    over: 'over',
    closed: 'closed',
  },

  /** A room's options, each a few words of one line. */
  summary: {
    seats: (count: number) => `${count} seats`,
    rounds: (count: number) => (count === 1 ? 'one round' : `best of ${count}`),
    contests: { fastest: 'fastest harmony', fewest: 'fewest moves' },
    placements: { strict: 'strict', guarded: 'guarded' },
    asProgress: 'opponents as progress',
    rated: 'rated',
  },

  /** What is played alone, as a title. */
  solo: {
    stage: (stage: number) => `Stage ${stage}`,
    lesson: (lesson: number) => `Lesson ${lesson}`,
    shuffle: 'Infinite Shuffle',
    daily: (day: string) => `Daily Spire ${day}`,
    dailyPractice: (day: string) => `Daily Spire ${day}, practice`,
    stars: (stars: number, of: number, crown: boolean) => `${stars} of ${of} stars${crown ? ', and the crown' : ''}`,
    noServer: 'No connection to the server.',
    playOffline: 'These boards can be played',
  },

  /** `1st`, `2nd`, `3rd`, `11th`, `22nd`. */
  ordinal: (rank: number) => {
    const isTeen = Math.floor(rank / 10) % 10 === 1;
    return `${rank}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][rank % 10]) ?? 'th'}`;
  },
  waiting: (count: number) => {
    if (count === 0) return 'Nobody waits at the moment.';
    return count === 1 ? 'One player waits for a race now.' : `${count} players wait for a race now.`;
  },
  viewers: (count: number) => (count === 1 ? '1 viewer' : `${count} viewers`),

  /** What went wrong, by the stable code of the protocol. What has no words here is said as the server says it. */
  problems: {
    network: 'The server does not answer. Check the connection and try again.',
    unreadable: 'The server’s answer cannot be read. Try again in a moment.',
    unauthorized: 'You are not logged in here any more.',
    name_taken: 'Somebody has this name, or one that looks like it: choose another.',
    wrong_password: 'The name or the password is wrong.',
    banned: 'The host of this server has banned this player.',
    bad_token: 'This server does not know your player any more.',
    logged_out: 'This device has been logged out: log in again to go on.',
    rate_limited: 'Too many at once: try again in a moment.',
    busy: 'The server is busy: try again in a few seconds.',
    full: 'The server is full: try again later.',
    unavailable: 'The server cannot store anything at the moment: try again soon.',
    timeout: 'That took the server too long. Try again.',
    damaged: 'What the server has stored of this is damaged and cannot be shown.',
    internal: 'The server made a mistake.',
    locked: 'This stage is not open yet: solve the one before it.',
    no_board: 'No board is on in this room at the moment.',
    already_tried: 'A day has one rated try, and yours is over: practise, or come tomorrow.',
    no_such_room: 'There is no such room, or it is closed.',
    closed: 'This room is closed.',
    kicked: 'The host of this room has sent you away from it.',
    no_opponent: 'Nobody else came to this race.',
    no_seat: 'No seat is free in this room now; you may watch.',
    no_spectators: 'In this room nobody watches.',
    too_many_spectators: 'As many watch here as may: come again in a moment.',
    racing: 'You race in this room: come to watch when your race is over.',
    too_slow: 'This connection did not keep up.',
    not_host: 'Only the host of the room can do that.',
    somebody_else: 'Somebody else sits there now: nothing was done.',
    refused: 'This room does not let you in.',
    not_understood: 'The queue did not understand this page. Load it anew.',
    left: 'You have left the queue.',
    again: 'That race came to nothing. You wait on, as long as before.',
    not_connected: 'Not connected: try again in a moment.',
    not_started: 'The race has not started.',
    not_racing: 'No race is on.',
    paused: 'The race is paused and goes on in a moment.',
    finished: 'You have finished.',
    gave_up: 'You have given up.',
    time_up: 'The time is up.',
    used_up: 'This room has taken all the acts that it may: give up or leave, and begin anew.',
    not_queued: 'You are not in the queue any more.',
    not_offered: 'No bot was offered: wait for the offer.',
  },
};
