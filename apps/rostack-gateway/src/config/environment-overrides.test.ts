import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEnvironment } from './environment-overrides.ts';
import type { PathSegment } from './model/config-schema.ts';

const config = {
  identity: { id: 'harbour', name: 'Harbour', api_version: '1' },
  listeners: {
    data: { port: 8443, trusted_proxies: ['10.0.0.0/8'] },
    admin: { token: { env: 'ADMIN_TOKEN' } },
  },
  permissions: { 'ships:read': 'Read ships.' },
  resources: {
    ships: { schema: 'ship.json', sortable: ['/name'], filterable: { '/name': 'all', '/at/x_y': ['eq'] } },
    'ship-types': { schema: 'type.json' },
  },
};

const apply = (environment: Record<string, string>) => applyEnvironment(config, environment);

function valueAt(root: unknown, path: readonly PathSegment[]): unknown {
  return path.reduce<unknown>(
    (value, segment) => (value as Record<PathSegment, unknown> | undefined)?.[segment],
    root,
  );
}

describe('a variable sets the value at its path', () => {
  test.each<[string, string, PathSegment[], unknown]>([
    ['ROSTACK__LISTENERS__DATA__PORT', '9000', ['listeners', 'data', 'port'], 9000],
    ['ROSTACK__IDENTITY__API_VERSION', '2', ['identity', 'api_version'], '2'],
    ['ROSTACK__IDENTITY__NAME', '{curly}', ['identity', 'name'], '{curly}'],
    ['ROSTACK__STORE__READ_TIMEOUT', '5s', ['store', 'read_timeout'], '5s'],
    ['ROSTACK__AUTHENTICATION__SHARED_TOKENS', 'false', ['authentication', 'shared_tokens'], false],
    [
      'ROSTACK__AUTHENTICATION__OAUTH2__TOKEN_TYPE',
      'false',
      ['authentication', 'oauth2', 'token_type'],
      false,
    ],
    ['ROSTACK__AUTHENTICATION__OAUTH2__TOKEN_TYPE', 'jwt', ['authentication', 'oauth2', 'token_type'], 'jwt'],
    ['ROSTACK__LISTENERS__DATA__TLS', 'off', ['listeners', 'data', 'tls'], 'off'],
    [
      'ROSTACK__LISTENERS__DATA__TLS',
      '{ certificate: a, key: b }',
      ['listeners', 'data', 'tls'],
      { certificate: 'a', key: 'b' },
    ],
    ['ROSTACK__LISTENERS__DATA__TLS__KEY', 'b.pem', ['listeners', 'data', 'tls', 'key'], 'b.pem'],
    ['ROSTACK__LISTENERS__DATA__TRUSTED_PROXIES', '[::1]', ['listeners', 'data', 'trusted_proxies'], ['::1']],
    [
      'ROSTACK__LISTENERS__DATA__TRUSTED_PROXIES__0',
      '::1',
      ['listeners', 'data', 'trusted_proxies', 0],
      '::1',
    ],
    [
      'ROSTACK__LISTENERS__DATA__TRUSTED_PROXIES__1',
      '::1',
      ['listeners', 'data', 'trusted_proxies', 1],
      '::1',
    ],
    [
      'ROSTACK__BROWSERS__CORS_ORIGINS__0',
      'https://a.example',
      ['browsers', 'cors_origins', 0],
      'https://a.example',
    ],
    ['ROSTACK__PERMISSIONS__SHIPS_READ', 'Read all ships.', ['permissions', 'ships:read'], 'Read all ships.'],
    ['ROSTACK__RESOURCES__SHIP_TYPES__SCHEMA', 'x.json', ['resources', 'ship-types', 'schema'], 'x.json'],
    [
      'ROSTACK__RESOURCES__SHIPS__FILTERABLE___AT_X_Y',
      '[ne]',
      ['resources', 'ships', 'filterable', '/at/x_y'],
      ['ne'],
    ],
  ])('%s=%s', (name, text, path, expected) => {
    const { value, overrides, mistakes } = apply({ [name]: text });
    expect(mistakes).toEqual([]);
    expect(valueAt(value, path)).toEqual(expected);
    expect(overrides).toEqual([{ variable: name, path }]);
  });

  test('a secret becomes a reference to the variable itself, or to another', () => {
    const name = 'ROSTACK__LISTENERS__ADMIN__TOKEN';
    const at = ['listeners', 'admin', 'token'];
    expect(valueAt(apply({ [name]: 'hunter2' }).value, at)).toEqual({ env: name });
    expect(valueAt(apply({ [name]: '{hunter2' }).value, at)).toEqual({ env: name });
    expect(valueAt(apply({ [name]: '{ file: /run/token }' }).value, at)).toEqual({ file: '/run/token' });
    const url = 'ROSTACK__STORE__URL';
    expect(valueAt(apply({ [url]: 'postgres://a:b@c/d' }).value, ['store', 'url'])).toEqual({ env: url });
  });

  test('an empty variable counts as absent, and so do those of others', () => {
    const others = { ROSTACK__LISTENERS__DATA__PORT: '', ROSTACK_PORT: '1', PATH: '/bin' };
    expect(apply(others)).toEqual({ value: config, overrides: [], mistakes: [] });
  });

  test('the configuration that is given is not changed', () => {
    const before = structuredClone(config);
    apply({ ROSTACK__LISTENERS__DATA__TRUSTED_PROXIES__1: '::1', ROSTACK__IDENTITY__ID: 'other' });
    expect(config).toEqual(before);
  });
});

describe('a variable that means nothing', () => {
  test.each([
    [
      'ROSTACK__LISTENER__DATA__PORT',
      '1',
      'LISTENER is unknown in the configuration; did you mean LISTENERS?',
    ],
    ['ROSTACK__LISTENERS__DATA__PROT', '1', 'PROT is unknown in listeners.data; did you mean PORT?'],
    ['ROSTACK__LOG__LEVEL__X', '1', 'X is unknown in log.level; known here: nothing.'],
    [
      'ROSTACK__RESOURCES__BOATS__SCHEMA',
      '1',
      'BOATS is unknown in resources; known here: SHIPS, SHIP_TYPES.',
    ],
    [
      'ROSTACK__LISTENERS__DATA__TRUSTED_PROXIES__2',
      '::1',
      'listeners.data.trusted_proxies has 1 items; write an index from 0 to 1 instead of 2.',
    ],
    [
      'ROSTACK__LISTENERS__DATA__PORT',
      '[',
      'listeners.data.port is not YAML; write the value as in the file.',
    ],
  ])('%s=%s', (name, text, message) => {
    const { mistakes, value } = apply({ [name]: text });
    expect(mistakes).toMatchObject([{ variable: name, message }]);
    expect(value).toEqual(config);
  });

  test('two names that are the same as capitals cannot be told apart', () => {
    const twins = { resources: { 'a-b': {}, a_b: {} } };
    const { mistakes } = applyEnvironment(twins, { ROSTACK__RESOURCES__A_B__SCHEMA: 'x' });
    expect(mistakes).toMatchObject([
      { message: 'A_B in resources may mean a-b or a_b; set resources as a whole.' },
    ]);
  });
});

test('for any content of the variables there is a value or a mistake for each, and nothing is thrown', () => {
  const part = fc.constantFrom(
    'LISTENERS',
    'DATA',
    'PORT',
    'RESOURCES',
    'SHIPS',
    'SORTABLE',
    '0',
    '1',
    '',
    '__PROTO__',
    'CONSTRUCTOR',
  );
  const variable = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => `ROSTACK__${parts.join('__')}`);
  fc.assert(
    fc.property(variable, fc.string({ minLength: 1 }), (name, text) => {
      const { overrides, mistakes } = apply({ [name]: text });
      expect(overrides.length + mistakes.length).toBe(1);
    }),
  );
  expect(({} as Record<string, unknown>)['port']).toBeUndefined();
});
