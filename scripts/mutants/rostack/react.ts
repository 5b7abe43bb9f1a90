import type { Mutant } from '../mutant.ts';

const SOURCE = 'packages/rostack-client/src/react';
const ownClient = { file: `${SOURCE}/own-client.ts`, tests: [`${SOURCE}/own-client.test.ts`] } as const;
const query = { file: `${SOURCE}/follow-query.ts`, tests: [`${SOURCE}/follow-query.test.ts`] } as const;

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
];
