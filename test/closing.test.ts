import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

// What is built, as users of JavaScript have it.
// oxlint-disable-next-line typescript/no-explicit-any -- no types: that is what is tried
type Untyped = any;

interface Owner {
  close(): unknown;
  [Symbol.asyncDispose](): unknown;
}

const modules = new Map<string, Record<string, Untyped>>();
for (const file of globSync('{packages,apps}/*/package.json', { cwd: root }).sort()) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  for (const [subpath, conditions] of Object.entries<Untyped>(exports)) {
    const entry: string | undefined = conditions.default;
    if (entry?.endsWith('.js'))
      modules.set(name + subpath.slice(1), await import(join(root, dirname(file), entry)));
  }
}

const of = (entry: string): Record<string, Untyped> => {
  const module = modules.get(entry);
  if (module === undefined) throw new Error(`there is no ${entry}`);
  return module;
};

let server: Server;
let served: Untyped;
let store: Untyped;
let client: Untyped;

beforeAll(async () => {
  server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const key = new Uint8Array(32);
  const core = of('rostack-core');
  const { createSharedToken, MemorySharedTokenStore, ...rostack } = of('rostack-server');
  const implementation = core['defineImplementation']({
    id: 'o',
    name: 'O',
    apiVersion: '1',
    documentationUrl: `https://localhost:${port}`,
    baseUrl: `https://localhost:${port}`,
    permissions: { 'notes:read': 'Read notes' },
    resources: {
      notes: {
        model: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        readPermissions: ['notes:read'],
        events: { 'note.created': { transition: 'create' } },
      },
    },
  });
  store = await of('rostack-store')['openStore']({ url: 'sqlite::memory:', implementation });
  const { token, tokenId, verifier } = createSharedToken();
  const tokens = new MemorySharedTokenStore([{ tokenId, verifier, subject: 'me', grants: ['notes:read'] }]);
  served = {
    implementation,
    store,
    authenticators: [
      rostack['createSharedTokenAuthenticator']({
        store: tokens,
        principalId: rostack['createPrincipalIdDeriver'](key),
      }),
    ],
    cursorKeys: { pages: { current: { id: 1, bytes: key } }, events: key },
  };
  rostack['serveRostack'](server, served);
  const credential = { method: 'shared_token', token };
  const insecure = { allowInsecureLoopback: true };
  client = await of('rostack-client')['connect'](`http://localhost:${port}`, credential, insecure);
});

afterAll(async () => {
  await client?.close();
  server?.close();
  server?.closeAllConnections();
  await store?.close();
});

/** Whatever owns something, by the export that gives it. */
const OWNERS: Readonly<Record<string, () => Owner | Promise<Owner>>> = {
  'rostack-store openStore': () =>
    of('rostack-store')['openStore']({ url: 'sqlite::memory:', implementation: served.implementation }),
  'rostack-store startMover': () => of('rostack-store')['startMover'](store, {}),
  'rostack-store/nats createNatsHintBus': () =>
    of('rostack-store/nats')['createNatsHintBus']({ servers: ['127.0.0.1:1'] }),
  'rostack-server createRateLimiter': () => of('rostack-server')['createRateLimiter'](),
  'rostack-server attachWebSocketGateway': () =>
    of('rostack-server')['attachWebSocketGateway'](createServer(), served),
  'rostack-server serveRostack': () => of('rostack-server')['serveRostack'](createServer(), served),
  'rostack-client connect': () =>
    of('rostack-client')['connect'](
      `http://localhost:${(server.address() as AddressInfo).port}`,
      { method: 'shared_token', token: 'another' },
      { allowInsecureLoopback: true },
    ),
  'rostack-client Follow': () => client.follow('notes'),
  'rostack-client Subscription': () => client.subscribe('notes'),
  'rostack-client/node SqliteStateStore': () =>
    new (of('rostack-client/node')['SqliteStateStore'])(':memory:'),
  'rostack-mcp createRostackMcp': () => of('rostack-mcp')['createRostackMcp'](client, { schemas: new Map() }),
  'menu-client createMenuService': () => of('menu-client')['createMenuService']({ operators: [] }),
  'menu-client planeatOperator': () => of('menu-client')['planeatOperator'](),
  'menu-client welstoryOperator': () =>
    of('menu-client')['welstoryOperator']({ username: 'a', password: 'b' }),
  'menu-client openMenuStore': () => of('menu-client')['openMenuStore']('memory:'),
  'menu-client/sqlite openSqliteMenuStore': () => of('menu-client/sqlite')['openSqliteMenuStore'](':memory:'),
  'menu-sandbox startSandbox': () => of('menu-sandbox')['startSandbox'](),
};

test.each(Object.entries(OWNERS))(
  '%s: it is closed by close or by disposal, as often as one likes',
  async (_, make) => {
    const owner = await make();
    expect(owner.close()).toBeInstanceOf(Promise);
    await owner.close();
    await owner[Symbol.asyncDispose]();
  },
);

test('every exported class that can be closed or disposed of can be both', () => {
  const halves = [...modules].flatMap(([entry, module]) =>
    Object.entries(module).flatMap(([name, value]) => {
      const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
      if (typeof prototype !== 'object' || prototype === null) return [];
      const closes = 'close' in prototype;
      return closes === Symbol.asyncDispose in prototype ? [] : [`${entry} ${name}`];
    }),
  );
  expect(halves).toEqual([]);
});

const NOTHING = (): readonly unknown[] => [];
/** Called with something where nothing more than the rest is missing. */
const FIRST: Readonly<Record<string, () => readonly unknown[]>> = {
  'rostack-server serveRostack': () => [createServer()],
  'rostack-server attachWebSocketGateway': () => [createServer()],
  'rostack-client connect': () => ['https://a.example', undefined],
  'rostack-store attachTable': () => [store, 'notes'],
  'rostack-store startMover': () => [store],
  'rostack-mcp createRostackMcp': () => [client],
  'rostack-client readSchemas': () => [{}],
  'rostack-client/react readInitial': () => [client],
  'rostack-client/testing stateStoreChecks': () => [{}],
  'rostack-core/testing conformanceCheck': () => ['a check', {}],
  'rostack-core/testing recordSourceChecks': () => [{}],
  'rostack-server/testing sharedTokenStoreChecks': () => [{}],
  'rostack-gateway configSecrets': () => [{}],
  'rostack-gateway createGateway': () => [{}],
  'rostack-gateway createLogger': () => [{}],
  'rostack-gateway createToken': () => [{ add: () => {} }],
  'rostack-gateway loadConfig': () => ['gateway.yaml'],
  'rostack-gateway parseConfig': () => [{}],
  'rostack-gateway rotateToken': () => [{ replace: () => {} }, 'a'],
  'cafeteria-web startCafeteria': () => [{}],
  'menu-mcp bindTools': () => [{}],
  'menu-mcp registerMenuCard': () => [{}],
  'menu-mcp registerMenuTools': () => [{ registerTool: () => {} }],
  'menu-mcp/server registerMenuPrompts': () => [{ registerPrompt: () => {} }, {}],
  'menu-mcp/server registerMenuResources': () => [{ registerResource: () => {} }],
  'menu-mcp/sdk registerMenuPrompts': () => [{ registerPrompt: () => {} }, {}],
  'menu-mcp/sdk registerMenuResources': () => [{ registerResource: () => {} }],
};

/** Packages of pure functions, whose arguments the compiler checks; what they have besides is asked. */
const PURE =
  /^(?:rostack-core(?!\/testing)\S*|rostack-conformance) (?!defineImplementation$|checks$|readRequirements$|run\w*Conformance$)/;
/** Hooks, which React alone can call. */
const HOOK = /^use[A-Z]/;

/** All others whose arguments the compiler alone checks. */
const UNCHECKED: Readonly<Record<string, readonly string[]>> = {
  // Pure.
  'menu-client': [
    'addDays',
    'askableDates',
    'choicesOf',
    'compareMenus',
    'dishDates',
    'estimateTokens',
    'findDishes',
    'firstCause',
    'formatCompactDate',
    'inOrderOfDay',
    'isWholeMeal',
    'matchedRanges',
    'mealSlot',
    'mealsFromNow',
    'nextMealMs',
    'parseAsked',
    'parseCompactDate',
    'parseDate',
    'parseDishQuery',
    'presentMeal',
    'resolveDate',
    'resolveDay',
    'restaurantSlug',
    'saysNothing',
    'seoulToday',
  ],
  // What `connect` and the client make.
  'rostack-client': ['Follow', 'RostackClient', 'Subscription'],
  // A component.
  'rostack-client/react': ['RostackProvider'],
  // An assertion.
  'rostack-conformance/cli': ['runConformanceCommand'],
  'rostack-core/testing': ['want'],
  // For requests of Node, by the request, and for the text of a token.
  'rostack-explorer/cli': ['runExplorerCommand'],
  'rostack-mcp/cli': ['runMcpCommand'],
  'rostack-server': [
    'answerClientError',
    'answerForNode',
    'answerRefusal',
    'faultOfRequest',
    'forwardedAddress',
    'isRequestTimeout',
    'verifierOf',
  ],
  // Pure.
  'rostack-store': ['toResourceDefinition'],
  // What `createNatsHintBus` makes.
  'rostack-store/nats': ['NatsHintBus'],
};

const isClass = (value: Untyped): boolean => Function.prototype.toString.call(value).startsWith('class');

/** Whether an error was thrown on purpose, with a code of ours. */
function isAnswer(error: unknown): boolean {
  const { code, message = '' } = Object(error);
  return typeof code === 'string' && !code.startsWith('ERR_') && !/Cannot |is not a function/.test(message);
}

test('whoever is given nothing, or not everything, says what to do, with a code', async () => {
  const bare: Record<string, string[]> = {};
  const seen = new Set<unknown>();
  for (const [entry, module] of modules) {
    for (const [name, value] of Object.entries(module)) {
      const title = `${entry} ${name}`;
      if (typeof value !== 'function' || seen.has(value) || PURE.test(title) || HOOK.test(name)) continue;
      if (value.prototype instanceof Error) continue;
      seen.add(value);
      const something = FIRST[title];
      for (const give of something === undefined ? [NOTHING] : [NOTHING, something]) {
        const given = give();
        try {
          const made: Untyped = isClass(value) ? new value(...given) : await value(...given);
          await made?.close?.();
        } catch (error) {
          if (!isAnswer(error))
            (bare[entry] ??= []).push(give === NOTHING ? name : `${name} given something`);
        }
      }
    }
  }
  for (const names of Object.values(bare)) names.sort();
  expect(bare).toEqual(UNCHECKED);
});
