import { expect, test } from 'vitest';
import { clientNetwork } from './client-address.ts';
import { PRIVATE_PROXIES, TrustedProxies } from './trusted-proxies.ts';

const networkOf = (remote: string, forwardedFor?: string, trusted: readonly string[] = []) =>
  clientNetwork({ forwardedFor, remote }, new TrustedProxies(trusted));

test('hosts of one IPv6 /64 are one client, however their addresses are written', () => {
  const written = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0DB8::a:b:c:d'];
  expect(new Set(written.map((address) => networkOf(address))).size).toBe(1);
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'));
});

test('an IPv4 address is one client, also where a socket shows it as IPv6', () => {
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
});

test.each([
  ['a direct client', '203.0.113.9', undefined, '203.0.113.9'],
  ['a direct client that lies', '203.0.113.9', '6.6.6.6', '203.0.113.9'],
  ['one proxy', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['one proxy, IPv4 in IPv6', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['two proxies', '10.1.2.3', '203.0.113.9, 192.0.2.1', '203.0.113.9'],
  ['a lie before an honest entry', '10.1.2.3', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
  ['a proxy of IPv6', '2001:db8::1', '2001:db9:1:2:3::4', '2001:db9:1:2::'],
  ['an entry with a port', '10.1.2.3', '203.0.113.7:51234', '203.0.113.7'],
  ['proxies with ports', '10.1.2.3', '203.0.113.7:51234, 10.2.3.4:8080', '203.0.113.7'],
  ['an entry of IPv6 with a port', '10.1.2.3', '[2001:db9:1:2::1]:443', '2001:db9:1:2::'],
  ['an entry of IPv6 in brackets', '10.1.2.3', '[2001:db9:1:2::1]', '2001:db9:1:2::'],
  ['an empty member of the list', '10.1.2.3', '203.0.113.9, ,', '203.0.113.9'],
  ['a proxy that says nothing', '10.1.2.3', undefined, '10.1.2.3'],
  ['a proxy that says nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['a lie before nonsense', '10.1.2.3', '6.6.6.6, unknown, 10.2.3.4', '10.2.3.4'],
  ['only proxies', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
])('%s', (_name, remote, forwarded, network) => {
  expect(networkOf(remote, forwarded, ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])).toBe(network);
});

test('proxies of this machine and of private networks are those that `true` trusts', () => {
  for (const proxy of ['127.0.0.1', '::1', '10.9.9.9', '172.17.0.1', '192.168.0.2', 'fd00::1'])
    expect(networkOf(proxy, '203.0.113.9', PRIVATE_PROXIES), proxy).toBe('203.0.113.9');
  expect(networkOf('172.32.0.1', '203.0.113.9', PRIVATE_PROXIES)).toBe('172.32.0.1');
});

test('an untrusted sender of X-Forwarded-For is reported once', () => {
  const told: string[] = [];
  const proxies = new TrustedProxies(['127.0.0.1'], (proxy) => void told.push(proxy));
  const ask = (remote: string, forwardedFor?: string) => clientNetwork({ forwardedFor, remote }, proxies);
  ask('127.0.0.1', '203.0.113.9');
  ask('172.17.0.1');
  expect(told).toEqual([]);
  for (let times = 0; times < 2; times += 1) ask('172.17.0.1', '203.0.113.9');
  expect(told).toEqual(['172.17.0.1']);
});

test('a request that came over no socket is nobody in particular', () => {
  const none = { forwardedFor: undefined, remote: undefined };
  expect(clientNetwork(none, new TrustedProxies(['127.0.0.1']))).toBe('unknown');
});
