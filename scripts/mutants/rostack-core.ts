import type { Mutant } from './mutant.ts';

export const rostackCoreMutants: readonly Mutant[] = [
  {
    name: 'a filter takes $not without counting it as a node',
    file: 'packages/rostack-core/src/filter/parse-filter.ts',
    find: "unknown, parsing: Parsing, at: Place, depth: number): Filter {\n  countNode(parsing, at);\n  return { kind: 'not'",
    replace: "unknown, parsing: Parsing, at: Place, depth: number): Filter {\n  return { kind: 'not'",
    tests: ['packages/rostack-core/src/filter/filter.test.ts'],
  },
  {
    name: 'a filter counts no node at all',
    file: 'packages/rostack-core/src/filter/parse-filter.ts',
    find: '  parsing.nodes += 1;',
    replace: '',
    tests: ['packages/rostack-core/src/filter/filter.test.ts'],
  },
];
