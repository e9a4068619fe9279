import type english from '../en/settings';

const german: typeof english = {
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
};

export default german;
