import type english from '../en/hanoi';

const german: typeof english = {};

export default german;
