import { defineConfig } from 'vitest/config';
import e2e from './vitest.e2e.config';

// What is measured in a real browser: by `make bench`, one at a time.
export default defineConfig({ ...e2e, test: { ...e2e.test, include: ['bench/**/*.bench.ts'] } });
