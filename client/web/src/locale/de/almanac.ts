import type english from '../en/almanac';

const german: typeof english = {};

export default german;
