// What a visitor chooses for this browser.

export default {
  title: 'Settings',
  close: 'Close',
  language: 'Language',
  languageMissing: 'This language could not be loaded. Check the connection and try again.',
  theme: 'Theme',
  themes: { system: 'As the device', light: 'Light', dark: 'Dark' },
  motion: 'Motion',
  motions: { system: 'As the device', less: 'Less' },
  board: 'Board',
  boards: { drawn: 'Drawn', text: 'As text' },
  sound: 'Sound',
  sounds: 'Play sounds',
  volume: 'Volume',
  /** A volume from 0 to 100. */
  percent: (volume: number) => `${volume} %`,
  haptics: 'Let the phone tremble',
  kept: 'Kept in this browser; a race goes on meanwhile.',
};
