import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { chunks } from './chunks';
import { preloads } from './preloads';

// `npm run dev` serves the page and passes the rest on to a server that runs beside it.
const server = process.env.SPRINT_DEV_SERVER ?? 'http://127.0.0.1:8080';

/** The server names the files of a page and all styles are one file: what vite adds to each import has nothing to do. */
function noPreloading(): Plugin {
  const load = (id: string): string | null =>
    id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load();' : null;
  return { name: 'sprint-no-preloading', apply: 'build', enforce: 'pre', load };
}

export default defineConfig({
  plugins: [svelte(), preloads(), noPreloading()],
  // Every asset is its own file: inlined data addresses would need a laxer content security policy.
  build: {
    target: 'es2022',
    // These know `light-dark()`: what older ones would need instead does not follow the scheme of an element.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    // The server names the files of a page in its document; nothing else is fetched ahead.
    modulePreload: false,
    // All styles together are smaller than what one request costs on a slow line.
    cssCodeSplit: false,
    rolldownOptions: {
      output: { codeSplitting: chunks() },
      // Kept only for what it does when it is loaded: nothing here is a custom element.
      treeshake: { moduleSideEffects: [{ test: /internal\/client\/dom\/elements\/custom-element\.js$/, sideEffects: false }] },
    },
  },
  server: {
    proxy: {
      '/api': { target: server },
      '/ws': { target: server, ws: true },
    },
  },
  // On a machine that is busy an import alone takes seconds: the bound is for what hangs.
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/setup.ts'],
    testTimeout: 60_000,
    // The tokens are read as text by a test that reckons with them.
    css: { include: /tokens\.css/ },
  },
});
