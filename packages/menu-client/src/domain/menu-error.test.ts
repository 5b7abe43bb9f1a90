import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MENU_ERRORS, MenuError, MenuStoreError, OperatorError } from './menu-error.ts';

test('the documents say of every code whether to retry, and of no other', () => {
  const page = readFileSync(new URL('../../../../docs/cafeteria/menu-client.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (`[a-z_`, ]+`) *\| (yes|no) *\|/gm)];
  const told = rows.flatMap(([, codes = '', retry]) =>
    [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => [code, retry === 'yes'] as const),
  );
  const thrown = Object.entries(MENU_ERRORS).map(([code, { retryable }]) => [code, retryable] as const);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(thrown));
});

test('an error knows its code, whether to retry and when; members that are unknown are absent', () => {
  expect(new OperatorError('welstory', 'operator_maintenance', 'wait', { retryAfterMs: 5 })).toMatchObject({
    name: 'OperatorError',
    vendor: 'welstory',
    code: 'operator_maintenance',
    retryable: true,
    retryAfterMs: 5,
  });
  expect(new MenuStoreError('down')).toMatchObject({ name: 'MenuStoreError', code: 'store_unavailable' });
  expect(new MenuError('closed', 'late')).not.toHaveProperty('retryAfterMs');
});
