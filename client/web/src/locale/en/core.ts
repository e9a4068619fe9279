// What every page says.

export default {
  /** The page is there, its part is not: a new version, or no connection. */
  partMissing: 'This part of the page could not be loaded. Check the connection, then load the page anew.',
  loadAnew: 'Load the page anew',
};
