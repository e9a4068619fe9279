import type english from '../en/rules';

const german: typeof english = {};

export default german;
