import type { Mutant } from './mutant.ts';

export const menuMutants: readonly Mutant[] = [
  {
    name: 'search_dishes lets the name of a dish begin lines of its own',
    file: 'packages/menu-mcp/src/tools/search-dishes.ts',
    find: 'menu: oneLine(menu.name),',
    replace: 'menu: menu.name,',
    tests: ['packages/menu-mcp/test/hostile-text.test.ts'],
  },
  {
    name: 'search_dishes lets the id of a restaurant begin lines of its own',
    file: 'packages/menu-mcp/src/tools/search-dishes.ts',
    find: '${oneLine(restaurant.id)}',
    replace: '${restaurant.id}',
    tests: ['packages/menu-mcp/test/hostile-text.test.ts'],
  },
  {
    name: 'control characters that end lines for some readers stay in the text for assistants',
    file: 'packages/menu-mcp/src/output/menu-text.ts',
    find: String.raw`/[\s\p{Cc}]+/gu`,
    replace: String.raw`/\s+/g`,
    tests: ['packages/menu-mcp/test/hostile-text.test.ts'],
  },
  {
    name: 'labels of the other meals go into the answer as the operator wrote them',
    file: 'packages/menu-mcp/src/output/menu-text.ts',
    find: 'mealsOfDay.map(oneLine).join',
    replace: 'mealsOfDay.join',
    tests: ['packages/menu-mcp/test/hostile-text.test.ts'],
  },
  {
    name: 'requests over MCP that were answered stay in the map of those that wait',
    file: 'packages/menu-mcp/src/http/shared-connection.ts',
    find: 'this.#waiting.delete(id);',
    replace: '',
    tests: ['packages/menu-mcp/src/http/shared-connection.test.ts'],
  },
  {
    name: 'answers over MCP do not vary by origin when the first to ask has none',
    file: 'packages/menu-mcp/src/http/origin-gate.ts',
    find: "if (origin === null) return { vary: 'origin' };",
    replace: 'if (origin === null) return {};',
    tests: ['packages/menu-mcp/test/transport-rules.test.ts'],
    testNamePattern: 'a cache is told',
  },
  {
    name: 'assistants are told the oldest changes of a meal',
    file: 'packages/menu-mcp/src/output/day-change-output.ts',
    find: '.slice(0, most)',
    replace: '.slice(-most)',
    tests: ['packages/menu-mcp/src/output/day-change-output.test.ts'],
  },
  {
    name: 'the oldest changes of a meal are kept, not the newest',
    file: 'packages/menu-client/src/service/day-entry.ts',
    find: '.slice(-MAX_CHANGES)',
    replace: '.slice(0, MAX_CHANGES)',
    tests: ['packages/menu-client/test/service-changes.test.ts'],
  },
  {
    name: 'what is in memory is not used while the store is down',
    file: 'packages/menu-client/src/service/entry-cache.ts',
    find: "return this.#lease.store.status === 'down' && hot !== undefined\n        ? hot",
    replace: 'return false && hot !== undefined\n        ? hot',
    tests: ['packages/menu-client/test/service-failures.test.ts'],
  },
];
