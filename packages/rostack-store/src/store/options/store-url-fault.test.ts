import { expect, test } from 'vitest';
import { storeUrlFault } from './store-url-fault.ts';

test.each([
  'sqlite::memory:',
  'sqlite:/srv/a,b#c.db',
  'postgres://127.0.0.1/test',
  'postgresql://user:p%40ss%23word@[::1]:5432/test?sslmode=require',
  'postgres:///test?host=/var/run/postgresql',
  'postgres://user@host/test?options=-c%20a%3Db,c@d',
])('%s can be used', (url) => {
  expect(storeUrlFault(url)).toBeUndefined();
});

test.each([
  ['postgres://user:se#cret@host/test', 'write %23 for #'],
  ['postgres://user:se@cret@host/test', 'more than one @'],
  ['postgres://user:se%cret@host/test', 'begins no escape'],
  ['postgres://user:se/cret@host/test', '%2F for /'],
  ['postgres://user:cret@one:5432,two:5432/test', 'several hosts'],
  ['mysql://user:cret@host/test', 'neither sqlite: nor postgres:'],
  ['', 'neither sqlite: nor postgres:'],
])('what is wrong with a URL is said without any of it (%#)', (url, says) => {
  const fault = storeUrlFault(url);
  expect(fault).toContain(says);
  expect(fault).not.toMatch(/cret|one:|mysql/);
});
