import type english from '../en/alone';

const german: typeof english = {};

export default german;
