import type { Mutant } from '../mutant.ts';

const SOURCE = 'packages/rostack-client/src/react';
const ownClient = { file: `${SOURCE}/own-client.ts`, tests: [`${SOURCE}/own-client.test.ts`] } as const;
const query = { file: `${SOURCE}/follow-query.ts`, tests: [`${SOURCE}/follow-query.test.ts`] } as const;
const initial = {
  file: `${SOURCE}/initial-records.ts`,
  tests: ['packages/rostack-client/test/react.test.ts'],
  testNamePattern: 'a server renders',
} as const;

const shared = { file: `${SOURCE}/shared-follow.ts`, tests: [`${SOURCE}/shared-follow.test.ts`] } as const;
const hooks = { file: `${SOURCE}/hooks.ts` } as const;

export const reactMutants: readonly Mutant[] = [
  {
    ...ownClient,
    name: 'the client of a provider that has gone stays open',
    find: 'this.#life?.abort();',
    replace: '',
  },
  {
    ...ownClient,
    name: 'a provider that comes back at once loses its client',
    find: 'begin(): void {\n    clearTimeout(this.#ending);',
    replace: 'begin(): void {',
  },
  {
    ...ownClient,
    name: 'a client that comes after its provider has gone stays open',
    find: 'void client.close();\n          return;',
    replace: 'return;',
  },
  {
    ...ownClient,
    name: 'strict mode connects twice',
    find: 'if (this.#life !== undefined && this.#failure === undefined) return;',
    replace: '',
  },
  {
    ...ownClient,
    name: 'connecting that has failed is never tried again',
    find: 'this.#life !== undefined && this.#failure === undefined',
    replace: 'this.#life !== undefined',
  },
  {
    ...query,
    name: 'components that ask for other fields share a follow',
    find: 'margin, fields, key, ...place]',
    replace: 'margin, key, ...place]',
  },
  {
    ...query,
    name: 'components that ask for other filters share a follow',
    find: '[resource, filter, sort,',
    replace: '[resource, sort,',
  },
  {
    ...query,
    name: 'components whose records have other ids share a follow',
    find: ', ...place]',
    replace: ']',
  },
  {
    file: `${SOURCE}/restored.ts`,
    tests: [`${SOURCE}/restored.test.ts`],
    name: 'a page shows what its store holds of another resource',
    find: 'state.scope.resource !== resource || ',
    replace: '',
  },
  {
    file: `${SOURCE}/restored.ts`,
    tests: [`${SOURCE}/restored.test.ts`],
    name: 'a page shows what its store holds of another filter',
    find: ' || state.scope.filter !== filter',
    replace: '',
  },
  {
    ...initial,
    name: 'a server renders records that do not match',
    find: '...(filter === undefined ? {} : { filter }),',
    replace: '',
  },
  {
    ...initial,
    name: 'a server sends whole records where fields were chosen',
    find: '...(view?.fields === undefined ? {} : { fields: view.fields }),',
    replace: '',
  },
  {
    name: 'a follow ends though somebody hears of its changes',
    file: `${SOURCE}/shared-follow.ts`,
    find: 'this.#listeners.size + this.#watchers.size > 0',
    replace: 'this.#listeners.size > 0',
    tests: [`${SOURCE}/follow-cache.test.ts`],
  },
  {
    ...shared,
    name: 'a follow that fails before its first snapshot takes away what was shown',
    find: 'this.#follow?.cursor === undefined ? this.#state.byId : new Map(this.#follow.records)',
    replace: 'new Map(this.#follow?.records)',
  },
  {
    ...shared,
    name: 'a follow that fails shows what was there before its snapshot',
    find: 'this.#follow?.cursor === undefined ? this.#state.byId : new Map(this.#follow.records)',
    replace: 'this.#state.byId',
  },
  {
    ...shared,
    name: 'records of a store come after those of the server',
    find: " || !this.#isBegun || this.#status !== 'pending') return;",
    replace: ' || !this.#isBegun) return;',
  },
  {
    ...hooks,
    tests: [`${SOURCE}/hooks.test.ts`],
    name: 'a record with an integer id is not found',
    find: "const text = recordIdText(id) ?? '';",
    replace: "const text = typeof id === 'string' ? id : '';",
  },
  {
    ...hooks,
    tests: ['packages/rostack-client/test/react.test.ts'],
    name: 'changes go to the function of the first rendering',
    find: 'newest.current = onChange;',
    replace: '',
  },
];
