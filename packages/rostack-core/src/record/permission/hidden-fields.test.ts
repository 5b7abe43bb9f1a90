import { expect, test } from 'vitest';
import { hiddenFrom, parseFilter, withoutFields } from '../../index.ts';

const pay = { pointer: '/pay', path: ['pay'], permissions: ['a:x', 'a:y'] };
const hiddenBy = (filter: object, ...permissions: string[]) =>
  hiddenFrom(new Set(permissions), [pay], { filter: parseFilter(filter) }).length > 0;

test('a filter uses a hidden field where it names it, or what is in it, at any depth', () => {
  expect(hiddenBy({ '/pay': { exists: true } })).toBe(true);
  expect(hiddenBy({ '/pay/bonus': { gt: 1 } })).toBe(true);
  expect(hiddenBy({ $or: [{ '/name': { eq: 'a' } }, { $not: { '/pay/bonus': { gt: 1 } } }] })).toBe(true);
  expect(hiddenBy({ '/payment': { gt: 1 } })).toBe(false);
});

test('all of its permissions are needed together', () => {
  expect(hiddenBy({ '/pay': { exists: true } }, 'a:x')).toBe(true);
  expect(hiddenBy({ '/pay': { exists: true } }, 'a:x', 'a:y')).toBe(false);
});

test('a record without a field is another one; what is not an object stays', () => {
  const record = { id: 'a', pay: { bonus: 1, grade: 'A' } };
  const bonus = { path: ['pay', 'bonus'] };
  expect(withoutFields(record, [bonus])).toEqual({ id: 'a', pay: { grade: 'A' } });
  expect(record.pay.bonus).toBe(1);
  expect(withoutFields({ id: 'a', pay: null }, [bonus])).toEqual({ id: 'a', pay: null });
  expect(withoutFields({ id: 'a' }, [bonus, pay])).toEqual({ id: 'a' });
});
