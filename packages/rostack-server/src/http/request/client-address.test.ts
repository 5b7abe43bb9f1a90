import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { addressKey, clientAddressBehind } from './client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['not an address', undefined],
  [undefined, undefined],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test.each([
  [0, '198.51.100.1', '203.0.113.9'],
  [1, '198.51.100.1', '198.51.100.1'],
  [1, '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  [2, '6.6.6.6, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  [2, '198.51.100.1', '198.51.100.1'],
  [1, '198.51.100.1:51234', '198.51.100.1'],
  [1, '[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  [1, '[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  [1, '198.51.100.1:no', 'undefined'],
  [1, undefined, '203.0.113.9'],
])('behind %i trusted proxies, X-Forwarded-For %s means %s', async (trustedProxies, forwarded, expected) => {
  const clientAddress = clientAddressBehind(trustedProxies);
  const app = new Hono().get('/', (c) => c.text(String(clientAddress(c))));
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const env = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
  expect(await (await app.request('/', { headers }, env)).text()).toBe(expected);
});
