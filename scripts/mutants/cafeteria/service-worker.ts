import type { Mutant } from '../mutant.ts';

const file = 'apps/cafeteria-web/assets/worker/service-worker.js';
const keeps = {
  file,
  tests: ['apps/cafeteria-web/test/browser.test.ts'],
  testNamePattern: 'the worker keeps',
} as const;

export const serviceWorkerMutants: readonly Mutant[] = [
  {
    ...keeps,
    name: 'caches of earlier releases stay in the browser',
    find: '!names.includes(name)',
    replace: 'names.length === 0',
  },
  {
    ...keeps,
    name: 'a new worker throws the photos away',
    find: 'const names = [PAGES, FILES, PHOTOS];',
    replace: 'const names = [PAGES, FILES];',
  },
  {
    ...keeps,
    name: 'a photo without a version is never asked for again',
    find: " && new URL(event.request.url).searchParams.has('v')",
    replace: '',
  },
  {
    ...keeps,
    name: 'a photo with a version is asked for each time',
    find: "if (kept !== undefined && new URL(event.request.url).searchParams.has('v')) return kept;",
    replace: '',
  },
  {
    ...keeps,
    name: 'a photo that was seen is missing offline',
    find: 'return kept ?? Response.error();',
    replace: 'return Response.error();',
  },
  {
    ...keeps,
    name: 'a refusal takes the place of the photo that was seen',
    find: 'if (response.ok) event.waitUntil(keep(PHOTOS',
    replace: 'event.waitUntil(keep(PHOTOS',
  },
  {
    ...keeps,
    name: 'the browser keeps any number of photos',
    find: 'event.request, response.clone(), MAX_PHOTOS',
    replace: 'event.request, response.clone(), 1_000',
  },
  {
    ...keeps,
    name: 'the newest photos are let go',
    find: 'keys.slice(0, Math.max(0, keys.length - max))',
    replace: 'keys.slice(max)',
  },
  {
    ...keeps,
    name: 'the first page that is seen is not the worker’s',
    find: '  await worker.clients.claim();\n',
    replace: '',
  },
  {
    ...keeps,
    name: 'a page elsewhere ends what is kept ahead',
    find: 'if (new URL(address).origin !== location.origin) continue;',
    replace: '',
  },
  {
    ...keeps,
    name: 'any number of pages is kept ahead',
    find: 'addresses.slice(0, MAX_AHEAD)',
    replace: 'addresses',
  },
  {
    ...keeps,
    name: 'files are asked for each time, and missing offline',
    find: '  if (kept !== undefined) return kept;\n  const response',
    replace: '  const response',
  },
];
