import type english from '../en/people';

const german: typeof english = {};

export default german;
