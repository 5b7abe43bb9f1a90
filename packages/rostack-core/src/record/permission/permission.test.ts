import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluatePermission, type Principal } from '../../index.ts';

const principal = (...permissions: string[]): Principal => ({
  id: 'p1',
  method: 'shared_token',
  permissions: new Set(permissions),
});
const stations = {
  read_permissions: ['stations:read', 'sites:read'],
  subscribe_permissions: ['stations:follow'],
};

test('all listed permissions are needed together', () => {
  expect(evaluatePermission(principal('sites:read', 'stations:read'), stations, 'read')).toEqual({
    kind: 'granted',
  });
  expect(evaluatePermission(principal('sites:read'), stations, 'read')).toEqual({
    kind: 'missing',
    permissions: ['stations:read'],
  });
  expect(evaluatePermission(principal(), stations, 'read')).toEqual({
    kind: 'missing',
    permissions: ['stations:read', 'sites:read'],
  });
});

test('read does not give subscribe, nor the other way round', () => {
  expect(evaluatePermission(principal('sites:read', 'stations:read'), stations, 'subscribe').kind).toBe(
    'missing',
  );
  expect(evaluatePermission(principal('stations:follow'), stations, 'read').kind).toBe('missing');
  expect(evaluatePermission(principal('stations:follow'), stations, 'subscribe')).toEqual({
    kind: 'granted',
  });
});

test('an empty subscribe list lets any authenticated principal subscribe, and nobody else', () => {
  const open = { ...stations, subscribe_permissions: [] };
  expect(evaluatePermission(principal(), open, 'subscribe')).toEqual({ kind: 'granted' });
  expect(evaluatePermission(undefined, open, 'subscribe')).toEqual({ kind: 'unauthenticated' });
  expect(evaluatePermission(undefined, open, 'read')).toEqual({ kind: 'unauthenticated' });
});

test('a permission more never takes a right away, and what is missing is exactly the difference', () => {
  const names = fc.array(fc.constantFrom('a:r', 'b:r', 'c:r', 'd:r'));
  fc.assert(
    fc.property(names, names, fc.constantFrom('read', 'subscribe'), (held, needed, operation) => {
      const resource = { read_permissions: needed, subscribe_permissions: needed };
      const decision = evaluatePermission(principal(...held), resource, operation);
      const missing = needed.filter((name) => !held.includes(name));
      expect(decision).toEqual(
        missing.length === 0 ? { kind: 'granted' } : { kind: 'missing', permissions: missing },
      );
      expect(evaluatePermission(principal(...held, ...missing), resource, operation).kind).toBe('granted');
    }),
  );
});
