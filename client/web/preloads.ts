// Tells the server which files each page needs, so that its document names them all at once: without that a browser learns
// of each layer only when the one before has run.

import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

/** Where the server reads it: `server/src/page.rs`. */
const FILE = '.vite/preloads.json';
const LANGUAGES = ['en', 'de'];

/** A page of `lib/pages.ts`. */
interface Page {
  name: string;
  component: string;
  areas: string[];
}

/** Writes the file beside what is built. */
export function preloads(): Plugin {
  return {
    name: 'sprint-preloads',
    apply: 'build',
    generateBundle(_, bundle) {
      const pages = pagesOf(readFileSync(new URL('src/lib/pages.ts', import.meta.url), 'utf8'));
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const entry = chunks.find((chunk) => chunk.isEntry);
      if (entry === undefined) this.error('nothing begins the page');
      const known = filesOf(bundle, entry);
      const needed = ({ component, areas }: Page, language: string): string[] => {
        const texts = areas.map((area) => `/src/locale/${language}/${area}.ts`);
        const files = [`/src/pages/${component}.svelte`, ...texts].flatMap((module) => {
          const chunk = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(module));
          if (chunk === undefined) this.error(`${module} of lib/pages.ts is no chunk of its own`);
          return [...filesOf(bundle, chunk)];
        });
        return [...new Set(files)].filter((file) => !known.has(file));
      };
      const inEach = (page: Page) => Object.fromEntries(LANGUAGES.map((language) => [language, needed(page, language)]));
      const all = pages.map((page) => [page.name, inEach(page)]);
      this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(Object.fromEntries(all)) });
    },
  };
}

/** A chunk with all that it imports, and their styles. */
function filesOf(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  chunk.viteMetadata?.importedCss.forEach((file) => found.add(file));
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === 'chunk') filesOf(bundle, imported, found);
  }
  return found;
}

/** The table of pages as it is written. A line that is not understood is an error: its page would wait for its files. */
function pagesOf(source: string): Page[] {
  const shown = /\{ load: \(\) => import\('\.\.\/pages\/(\w+)\.svelte'\), areas: \[([^\]]*)\] \}/;
  const read = (name: string, text: string): Page => {
    const [, component, areas] = shown.exec(text) ?? [];
    if (component === undefined || areas === undefined) {
      throw new Error(`lib/pages.ts: ${name}: ${text} is not understood`);
    }
    return { name, component, areas: [...areas.matchAll(/'(\w+)'/g)].map(([, area]) => area ?? '') };
  };
  const named = [...source.matchAll(/^const (\w+): Page = (.*);$/gm)];
  const shared = new Map(named.map(([, name = '', text = '']) => [name, text]));
  const table = /export const PAGES[^{]*= \{\n(.*?)\n\};/s.exec(source)?.[1];
  if (table === undefined) throw new Error('lib/pages.ts has no table PAGES');
  return table.split('\n').map((line) => {
    const [, name = '', text = ''] = /^ {2}(\w+): (.*),$/.exec(line) ?? [];
    return read(name, shared.get(text) ?? text);
  });
}
