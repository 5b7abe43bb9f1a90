import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

const request = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({
  headers,
  socket: { remoteAddress },
});

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);

describe('TrustedProxies', () => {
  test.each([
    ['a direct client', '203.0.113.9', undefined, '203.0.113.9'],
    ['a direct client that lies', '203.0.113.9', '6.6.6.6', '203.0.113.9'],
    ['one proxy', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['one proxy, IPv4 in IPv6', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['two proxies', '10.1.2.3', '203.0.113.9, 192.0.2.1', '203.0.113.9'],
    ['a lie before an honest entry', '10.1.2.3', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    [
      'lies before an honest entry and a proxy',
      '10.1.2.3',
      '6.6.6.6, 7.7.7.7, 203.0.113.9, 10.2.3.4',
      '203.0.113.9',
    ],
    ['a proxy of IPv6', '2001:db8::1', '2001:db9:1:2:3::4', '2001:db9:1:2::/64'],
    ['an entry with a port', '10.1.2.3', '203.0.113.7:51234', '203.0.113.7'],
    ['proxies with ports', '10.1.2.3', '203.0.113.7:51234, 10.2.3.4:8080', '203.0.113.7'],
    ['an entry of IPv6 with a port', '10.1.2.3', '[2001:db9:1:2::1]:443', '2001:db9:1:2::/64'],
    ['an entry of IPv6 in brackets', '10.1.2.3', '[2001:db9:1:2::1]', '2001:db9:1:2::/64'],
    ['a proxy that says nothing', '10.1.2.3', undefined, '10.1.2.3'],
    ['a proxy that says nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['only proxies', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['nobody', undefined, '203.0.113.9', undefined],
  ])('%s', (_name, remote, forwarded, expected) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    expect(proxies.addressOf(request(remote, headers))).toBe(expected);
  });

  test('an entry that is no address is told once', () => {
    const told: string[] = [];
    const telling = new TrustedProxies(['10.0.0.0/8'], (entry) => void told.push(entry));
    for (const forwarded of ['203.0.113.7:51234', '', 'unknown', '_hidden', 'unknown']) {
      telling.addressOf(request('10.1.2.3', { 'x-forwarded-for': forwarded }));
    }
    expect(told).toEqual(['unknown']);
  });

  test('an address that is not trusted can say what it likes: it counts as itself', () => {
    fc.assert(
      fc.property(fc.string(), (forwarded) => {
        expect(proxies.addressOf(request('203.0.113.9', { 'x-forwarded-for': forwarded }))).toBe(
          '203.0.113.9',
        );
      }),
    );
  });

  test.each([
    ['10.1.2.3', 'http', true],
    ['10.1.2.3', 'https, http', true],
    ['10.1.2.3', 'https', false],
    ['10.1.2.3', undefined, false],
    ['203.0.113.9', 'http', false],
  ])('from %s with X-Forwarded-Proto %s: came without TLS is %s', (remote, scheme, expected) => {
    const headers: Record<string, string> = scheme === undefined ? {} : { 'x-forwarded-proto': scheme };
    expect(proxies.cameWithoutTls(request(remote, headers))).toBe(expected);
  });
});
