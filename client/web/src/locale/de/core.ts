import type english from '../en/core';

const german: typeof english = {
  partMissing: 'Dieser Teil der Seite konnte nicht geladen werden. Prüfe die Verbindung und lade die Seite dann neu.',
  loadAnew: 'Seite neu laden',
};

export default german;
