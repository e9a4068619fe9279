// How the page's modules are put into files: what several pages share is one file, but for what no race needs, so that whoever
// follows a link to a room is sent none of it.

import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

/** So many pages have to need a module before it lies with what is shared. */
const PAGES_MIN = 4;

const RACE = ['src/main.ts', 'src/pages/RoomPage.svelte'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** All that a race needs from its lobby on; the graph is whole when chunks are made. */
function neededBy(modules: Rolldown.ChunkingContext): Set<string> {
  const found = new Set(RACE);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** For `codeSplitting` of the build. */
export function chunks(): Rolldown.CodeSplittingOptions {
  let needed: Set<string> | null = null;
  const shared = (id: string, modules: Rolldown.ChunkingContext): string | null => {
    needed ??= neededBy(modules);
    return needed.has(id) ? 'shared' : null;
  };
  const groups = [
    { name: shared, minShareCount: 2, priority: 2, includeDependenciesRecursively: false },
    { name: 'others', minShareCount: PAGES_MIN, priority: 1, includeDependenciesRecursively: false },
  ];
  return { groups };
}
