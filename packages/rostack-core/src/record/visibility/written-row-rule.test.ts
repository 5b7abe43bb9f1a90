import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { arbitraryFilterJson, arbitraryRecord } from '../../../test/support/arbitrary-filter.ts';
import {
  type Collations,
  checkRowRule,
  compileFilter,
  type JsonObject,
  type JsonValue,
  type Principal,
  parseFilter,
  parseRowRule,
  type RowRule,
  RowRuleError,
  visibilityOf,
} from '../../index.ts';

const principal = (claims?: JsonObject, permissions: string[] = []): Principal => ({
  id: 'p1',
  method: 'oauth2',
  permissions: new Set(permissions),
  ...(claims && { claims }),
});

const see = (written: JsonObject, who: Principal, record: JsonValue): boolean => {
  const visibility = visibilityOf(parseRowRule(written).rule, who);
  return visibility.kind === 'matching'
    ? compileFilter(visibility.filter)(record)
    : visibility.kind === 'all';
};
const ofTenant: JsonObject = { '/tenant': { eq: { principal: 'claims.tenant' } } };

describe('a written row rule', () => {
  test.each<[string, JsonObject, Principal, JsonObject, boolean]>([
    ['a claim', ofTenant, principal({ tenant: 'a' }), { tenant: 'a' }, true],
    ['another value of the claim', ofTenant, principal({ tenant: 'b' }), { tenant: 'a' }, false],
    [
      'one of several',
      { '/tenant': { in: { principal: 'claims.tenants' } } },
      principal({ tenants: ['a', 'b'] }),
      { tenant: 'b' },
      true,
    ],
    [
      'an item among constants',
      { '/tenant': { in: ['shared', { principal: 'claims.tenant' }] } },
      principal({ tenant: 'a' }),
      { tenant: 'shared' },
      true,
    ],
    [
      'a member of a claim',
      { '/org': { eq: { principal: 'claims.org.id' } } },
      principal({ org: { id: 4 } }),
      { org: 4 },
      true,
    ],
    [
      'a claim whose name is a URL',
      { '/org': { eq: { principal: '/claims/https:~1~1example.com~1org' } } },
      principal({ 'https://example.com/org': 4 }),
      { org: 4 },
      true,
    ],
    ['the id', { '/owner': { eq: { principal: 'id' } } }, principal(), { owner: 'p1' }, true],
    ['the method', { '/way': { eq: { principal: 'method' } } }, principal(), { way: 'oauth2' }, true],
    [
      'the permissions',
      { '/group': { in: { principal: 'permissions' } } },
      principal({}, ['a:read', 'b:read']),
      { group: 'b:read' },
      true,
    ],
    [
      'alternatives',
      { $or: [{ '/public': { eq: true } }, ofTenant] },
      principal({ tenant: 'a' }),
      { public: true, tenant: 'b' },
      true,
    ],
  ])('compares with %s', (_, written, who, record, expected) => {
    expect(see(written, who, record)).toBe(expected);
  });

  test.each<[string, JsonObject | undefined]>([
    ['no claims', undefined],
    ['another claim', { other: 'a' }],
    ['null', { tenant: null }],
    ['a list where a value belongs', { tenant: ['a'] }],
    ['an object', { tenant: { id: 'a' } }],
    ['a text beyond the limits', { tenant: 'a'.repeat(5_000) }],
    ['an inherited member', Object.create({ tenant: 'a' }) as JsonObject],
  ])('shows nothing to who has %s, however the rule is put', (_, claims) => {
    const who = principal(claims);
    const among: JsonObject = { '/tenant': { in: ['shared', { principal: 'claims.tenant' }] } };
    const ways = [ofTenant, { $not: ofTenant }, { $or: [{ '/public': { eq: true } }, ofTenant] }, among];
    for (const written of ways) {
      expect(visibilityOf(parseRowRule(written as JsonObject).rule, who).kind).toBe('none');
    }
  });

  test('shows nothing to who has one value where a list belongs, or a list of other things', () => {
    const { rule } = parseRowRule({ '/tenant': { in: { principal: 'claims.tenants' } } });
    for (const tenants of [
      'a',
      [null],
      [['a']],
      [{}],
      Array.from({ length: 1_001 }, (_, at) => at),
    ] as JsonValue[]) {
      expect(visibilityOf(rule, principal({ tenants })).kind).toBe('none');
    }
    expect(visibilityOf(rule, principal({ tenants: [] })).kind).toBe('matching');
  });

  test('without references shows what the filter matches', () => {
    fc.assert(
      fc.property(arbitraryFilterJson, arbitraryRecord, (filter, record) => {
        expect(see(filter, principal(), record)).toBe(compileFilter(parseFilter(filter))(record));
      }),
    );
  });

  test.each<[JsonObject, string, RegExp]>([
    [{ '/tenant': { eq: { principal: 'tenant' } } }, '/~1tenant/eq', /names nothing of a principal/],
    [{ '/tenant': { eq: { principal: 'claims' } } }, '/~1tenant/eq', /claims\.NAME/],
    [{ '/tenant': { eq: { principal: 'claims..a' } } }, '/~1tenant/eq', /claims\.NAME/],
    [{ '/tenant': { eq: { principal: '/claims/~2' } } }, '/~1tenant/eq', /claims\.NAME/],
    [{ '/tenant': { eq: { claim: 'x' } } }, '/~1tenant/eq', /pass a string/],
    [{ '/tenant': { is: { principal: 'id' } } }, '/~1tenant/is', /is not an operator/],
    [{ $and: [{ tenant: { eq: 1 } }] }, '/$and/0/tenant', /JSON Pointer/],
    [{}, '', /at least one field/],
  ])('%j is refused at %s', (written, location, message) => {
    const error = thrownBy(() => parseRowRule(written));
    expect(error).toMatchObject({
      code: 'invalid_filter',
      location,
      message: expect.stringMatching(message),
    });
  });

  test('its fields are compared with the schema', () => {
    const schema = {
      type: 'object',
      properties: { tenant: { type: 'string' }, level: { type: 'integer' } },
      additionalProperties: false,
    };
    const faults = (written: JsonObject) =>
      checkRowRule(parseRowRule(written), schema).map(({ path, message }) => `${path} ${message}`);
    expect(faults({ '/tenant': { eq: { principal: 'id' } }, '/level': { gte: 3 } })).toEqual([]);
    expect(faults({ $and: [{ '/tenent': { eq: { principal: 'id' } } }] })).toEqual([
      '/$and/0/~1tenent/eq /tenent is not a field of the schema; write one that it declares, or add the field to the schema',
    ]);
    expect(faults({ '/level': { starts_with: 'a' } })).toEqual([
      expect.stringMatching(
        /^\/~1level\/starts_with starts_with cannot match \/level, which is number; write one of eq/,
      ),
    ]);
  });
});

describe('visibility', () => {
  test('is the same for the same rows, whoever asks, and another without a rule', () => {
    const { rule } = parseRowRule(ofTenant);
    const digest = (claims: JsonObject) => visibilityOf(rule, principal(claims)).digest;
    expect(digest({ tenant: 'a' })).toBe(digest({ tenant: 'a', other: 1 }));
    const digests = [
      digest({ tenant: 'a' }),
      digest({ tenant: 'b' }),
      digest({}),
      visibilityOf(() => 'all', principal()).digest,
      visibilityOf(undefined, principal()).digest,
    ];
    expect(new Set(digests).size).toBe(5);
    expect(digests[4]).toBe('');
  });

  test('follows a rule that gives another filter in the same object', () => {
    const rows: Record<string, JsonValue> = { '/tenant': { eq: 'a' } };
    const before = visibilityOf(() => rows, principal());
    rows['/tenant'] = { eq: 'b' };
    expect(visibilityOf(() => rows, principal()).digest).not.toBe(before.digest);
  });

  test.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['another text', () => 'everything'],
    ['no filter', () => ({ tenant: 'a' })],
    ['an empty filter', () => ({})],
    ['a promise', () => Promise.reject(new Error('late'))],
  ])('a rule that gives %s shows nobody anything', (_, rule) => {
    const error = thrownBy(() => visibilityOf(rule as unknown as RowRule, principal()));
    expect(error).toBeInstanceOf(RowRuleError);
  });
});

test('compares by number where a field holds decimals, and shows nothing for a value that is none', () => {
  const { rule } = parseRowRule({ '/limit': { lte: { principal: 'claims.limit' } } });
  const shown = (limit: JsonValue, collations: Collations) => {
    const visibility = visibilityOf(rule, principal({ limit }), collations);
    return visibility.kind === 'matching' && compileFilter(visibility.filter)({ limit: '9.5' });
  };
  const decimals = new Map([['/limit', 'decimal']] as const);
  expect(shown('10', new Map())).toBe(false);
  expect(shown('10', decimals)).toBe(true);
  expect(shown('9.50', decimals)).toBe(true);
  expect(() => shown(10, decimals)).toThrow(RowRuleError);
});
