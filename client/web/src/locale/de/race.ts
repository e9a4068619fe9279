import type english from '../en/race';

const german: typeof english = {};

export default german;
