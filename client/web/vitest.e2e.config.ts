import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The boards that the tests reckon with are the page's own, and those speak its languages.
  plugins: [svelte()],
  test: {
    // One line a test, each with its name: they are counted.
    reporters: ['verbose'],
    include: ['e2e/**/*.e2e.ts'],
    // One server and one browser at a time: the machine is small and the clock is part of what is tested.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
