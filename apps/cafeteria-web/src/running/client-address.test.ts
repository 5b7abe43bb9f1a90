import { expect, test } from 'vitest';
import { clientNetwork } from './client-address.ts';

const networkOf = (remote: string) => clientNetwork({ forwardedFor: undefined, remote }, false);

test('hosts of one IPv6 /64 are one client, however their addresses are written', () => {
  const written = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0DB8::a:b:c:d'];
  expect(new Set(written.map(networkOf)).size).toBe(1);
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'));
});

test('an IPv4 address is one client, also where a socket shows it as IPv6', () => {
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
});

test('what a proxy forwarded counts only behind one: its last entry', () => {
  const sent = { forwardedFor: '198.51.100.1, 2001:db8::7', remote: '192.0.2.1' };
  expect(clientNetwork(sent, true)).toBe(networkOf('2001:db8::1'));
  expect(clientNetwork(sent, false)).toBe('192.0.2.1');
  expect(clientNetwork({ forwardedFor: undefined, remote: undefined }, true)).toBe('unknown');
});
