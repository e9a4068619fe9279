// The service worker: the page opens without a network, and what is loaded once is not loaded again.
//
// Must never reload a page, nor take one over from another version of itself: a new one waits until every window is closed.
// Must never keep an answer of the API: what is true is what the server says.
//
// Kept is: the documents below, each with the files that it names; and every file of `assets/` that a page has asked for, whose
// names tell their content. A build is told by the script that begins it. What another build has kept goes once a window says
// that it is the only one. The cache `sprint-boards` is the page's own matter (see src/lib/worker.ts) and is left alone.

/** The generation of this file's caches: another one begins anew. */
const DOCUMENTS = 'sprint-documents-1';
const ASSETS = 'sprint-assets-1:';
const OWN = /^sprint-(documents|assets)-/;

/** What is opened without a network: the start, and, at every other address, the page that says what can be done without. */
const START = '/';
const OFFLINE = '/offline';

/** The build that was told last. Forgotten when the browser ends the worker, and read again. */
let build = null;

self.addEventListener('install', (event) => {
  event.waitUntil(keepDocuments());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(begin());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate' && !/^\/(api|ws)\//.test(pathname)) event.respondWith(opened(event, pathname));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(event));
});

self.addEventListener('message', (event) => {
  if (event.data?.type === 'shown') event.waitUntil(welcome(event.source?.id, event.data.build));
});

async function begin() {
  const names = await caches.keys();
  const isOld = (name) => OWN.test(name) && name !== DOCUMENTS && !name.startsWith(ASSETS);
  await Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  // Windows from before there was a worker: what they load from now on is kept. Nothing of them changes.
  await self.clients.claim();
}

/** A window that was opened while the worker began is without one: it is taken along, and changes nothing by that. */
async function welcome(asking, shown) {
  await self.clients.claim();
  await dropOthers(asking, shown);
}

/** A document from the network, or a kept one where there is none. */
async function opened(event, pathname) {
  let answer;
  try {
    answer = (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await keptDocument(pathname)) ?? Response.error();
  }
  // Of a proxy whose server is away.
  if (answer.status >= 502) return (await keptDocument(pathname)) ?? answer;
  const begun = buildOf(await answer.clone().text());
  if (begun !== null && begun !== (await currentBuild())) {
    build = begun;
    event.waitUntil(keepDocuments().catch(() => {}));
  }
  return answer;
}

/** A file whose name tells its content: the kept one, or the network's, which is then kept. */
async function asset(event) {
  const kept = await caches.match(event.request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const answer = await fetch(event.request);
  if (answer.ok) {
    const copy = answer.clone();
    event.waitUntil(currentBuild().then(async (build) => (await caches.open(ASSETS + build)).put(event.request, copy)));
  }
  return answer;
}

async function keptDocument(pathname) {
  const kept = await caches.open(DOCUMENTS);
  return kept.match(pathname === START ? START : OFFLINE);
}

/** The build that pages are of now. */
async function currentBuild() {
  build ??= buildOf((await (await keptDocument(START))?.text()) ?? '');
  return build;
}

/** Keeps the documents with the files that they name; or, if one of them cannot be had, what was kept before. */
async function keepDocuments() {
  const answers = await Promise.all([START, OFFLINE].map((path) => fetch(path, { cache: 'no-cache' })));
  const texts = await Promise.all(answers.map((answer) => (answer.ok ? answer.clone().text() : '')));
  const begun = buildOf(texts[0]);
  // Between the two the server may have become another.
  if (begun === null || texts.some((text) => buildOf(text) !== begun)) throw new Error('the page cannot be kept now');
  const assets = await caches.open(ASSETS + begun);
  const named = texts.flatMap((text) => [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)]);
  const files = new Set(named.map(([, file]) => file));
  await Promise.all([...files].map((file) => keepFile(assets, file)));
  const documents = await caches.open(DOCUMENTS);
  await Promise.all([documents.put(START, answers[0]), documents.put(OFFLINE, answers[1])]);
  build = begun;
}

/** A file of another build is the same if it has the same name. */
async function keepFile(assets, file) {
  const kept = await caches.match(file, { ignoreVary: true });
  if (kept !== undefined) await assets.put(file, kept);
  else await assets.add(file);
}

/** Drops what other builds have kept, if no window but the one that asks is open. */
async function dropOthers(asking, shown) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.some(({ id }) => id !== asking) || shown !== (await currentBuild())) return;
  const others = (await caches.keys()).filter((name) => name.startsWith(ASSETS) && name !== ASSETS + shown);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The script that begins the page of a document. */
function buildOf(html) {
  return /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? null;
}
