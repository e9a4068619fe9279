import { mergeConfig } from 'vitest/config';
import e2e from './vitest.e2e.config';

// What is measured in a real browser: by `make bench`, one at a time.
export default mergeConfig(e2e, { test: { include: ['bench/**/*.bench.ts'] } });
