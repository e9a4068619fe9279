// Start page, quick match, what can be watched.

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

export default {
  start: {
    title: 'Restore the Spire first',
    intro:
      'Two to four technomancers, one board, one instant. Sort every spectrum into its own tower, largest disk at the bottom; a disk rests only on a larger one of its own spectrum. The first clean harmony wins.',
    art: 'Four pegs: two towers of one spectrum each stand finished, and a disk is on its way to the third.',
    race: 'Race now',
    raceHint: 'Against somebody of your strength, or a bot of the house.',
    friends: 'With friends',
    learn: 'Learn it by doing',
    quick: 'Quick match',
    findRace: 'Find a race',
    name: 'Name',
    takeIt: 'Take it',
    rename: 'Rename',
    playAs: 'You play as <name>name</name>.',
    join: 'Join by code or link',
    joinAction: 'Join',
    watch: 'Watch a race',
    watchHint: 'Live, with everybody’s distance to harmony.',
  },

  solitude: {
    title: 'Alone in the Spire',
    campaign: 'Campaign',
    campaignHint: (open: number) => (open > 1 ? `50 stages, ${open} of them open.` : '50 stages, each with one idea.'),
    daily: 'Daily Spire',
    dailyHint: 'One board a day, one try, for everybody.',
    shuffle: 'Shuffle',
    shuffleHint: 'Board after board, no clock, hints.',
    tutorial: 'Tutorial',
    tutorialHint: 'The laws and the techniques, by doing.',
    hanoi: 'To the tower',
    hanoiHint: 'The classic: three pegs, up to 64 disks.',
  },

  form: {
    title: 'Open a room',
    board: 'Board',
    info: (spectra: number, sizes: number, pegs: number, free: number) =>
      `${count(spectra, 'spectrum', 'spectra')} of ${count(sizes, 'disk', 'disks')} on ${pegs} pegs, ${free} of them free.`,
    reach: (least: number, most: number, minutes: number) => `Solved in ${least}–${most} moves at best; ${minutes} minutes.`,
    seats: 'Seats',
    players: (seats: number) => `${seats} players`,
    rounds: 'Rounds',
    bestOf: (rounds: number) => (rounds === 1 ? 'One round' : `Best of ${rounds}`),
    list: 'List the room for everybody',
    rules: 'House rules',
    contest: 'Decided by',
    opponents: 'Opponents shown as',
    placement: 'Placement',
    blueprint: 'Race on a blueprint of your own',
    notation: 'Board in notation',
    open: 'Open the room',
    opening: 'Opening…',
  },

  list: {
    title: 'Public rooms',
    unreachable: 'The server does not answer at the moment.',
    looking: 'Looking…',
    none: 'No public room is open. Open one, and list it for everybody.',
    join: (code: string) => `Join ${code}`,
    watch: (code: string) => `Watch ${code}`,
    nobody: 'nobody yet',
  },

  quick: {
    title: 'Quick match',
    intro: 'A rated race against players of your strength: one round, strict, opponents shown as progress. When nobody comes, you are offered a bot.',
    seats: 'Seats',
    players: (seats: number) => `${seats} players`,
    board: 'Board',
    find: 'Find a race',
    room: 'Open a room instead',
    region: 'Waiting',
    notQueued: 'You are not in the queue',
    back: 'Back',
    elsewhere: 'You wait elsewhere',
    elsewhereText: 'You wait for a race in another tab or on another device. The race will open there.',
    takeBack: 'Wait here instead',
    toStart: 'To the start page',
    looking: (seats: number): string => (seats === 2 ? 'Looking for an opponent' : 'Looking for opponents'),
    wanted: (preset: string, seats: number) => `${preset} · ${seats} players · rated`,
    lost: 'The connection is lost. Trying again…',
    connecting: 'Connecting…',
    company: (others: number) => {
      if (others <= 0) return 'Nobody else waits for this race yet.';
      return others === 1 ? 'One other player waits for this race.' : `${others} other players wait for this race.`;
    },
    anybody: 'By now, anybody will do.',
    window: (window: number) => `Ratings up to ${window} apart; the longer you wait, the wider.`,
    offer: 'Offer',
    offerText: (rating: number) => `Nobody has come yet. <bot>bot</bot> would race you: a bot of the house, rated ${rating}. Your rating stays as it is.`,
    accept: 'Race the bot',
    opening: 'Opening the race…',
    decline: 'Wait on',
    leave: 'Leave the queue',
  },

  watch: {
    title: 'Watch',
    unreachable: 'The server does not answer at the moment.',
    label: 'Live matches',
    live: 'Live',
    looking: 'Looking…',
    none: 'Nobody races in public at the moment. Rooms that are listed and rated races stand here while they last.',
    watch: 'Watch',
    watchWhom: (who: string) => `Watch ${who}`,
    against: ' against ',
    nobody: 'nobody yet',
    bot: 'bot',
    late: (seconds: number) => `${seconds} s late`,
    featured: 'Featured race',
    watchThis: 'Watch this race',
  },

  /** What an address that leads nowhere says. */
  lost: {
    title: 'Nothing here',
    heading: 'No star at this place',
    text: 'This address leads nowhere. A room’s link ends in <code>/r/</code> and its code.',
  },
};
