import type english from '../en/room';

const german: typeof english = {};

export default german;
