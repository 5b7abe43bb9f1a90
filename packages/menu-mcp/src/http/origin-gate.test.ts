import { assert, property, string, webUrl } from 'fast-check';
import { expect, test } from 'vitest';
import { isHostAllowed, isOriginAllowed } from './origin-gate.ts';

test.each(['localhost', 'localhost:3000', '127.0.0.1:8080', '127.9.9.9', '[::1]', '[::1]:3000'])(
  'the loopback host %s is served',
  (host) => {
    expect(isHostAllowed(host, 'loopback', undefined)).toBe(true);
  },
);

test.each([
  'example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '192.168.0.2',
  '0.0.0.0',
  '[::2]',
  '',
])('the host %j is not served by a loopback server', (host) => {
  expect(isHostAllowed(host, 'loopback', undefined)).toBe(false);
  expect(isHostAllowed(host, 'public', undefined)).toBe(true);
});

test.each([
  ['menu.example.org', true],
  ['menu.example.org:8443', true],
  ['localhost:3000', true],
  ['cafeteria:3000', true],
  ['10.0.0.7:3000', true],
  ['[fd00::1]:3000', true],
  ['evil.example.com', false],
  ['menu.example.org.evil.example.com', false],
  ['10.0.0.7.nip.io', false],
  ['', false],
])('a public server that knows its name answers the host %j: %s', (host, allowed) => {
  expect(isHostAllowed(host, 'public', ['menu.example.org'])).toBe(allowed);
});

// The first web address that fast-check makes takes more than a second of processor time.
test('no text and no origin of the web gets into a loopback server, and any into a public one', {
  timeout: 60_000,
}, () => {
  assert(property(string(), (text) => !isOriginAllowed(text, 'loopback')));
  assert(
    property(webUrl({ validSchemes: ['http', 'https'] }), (url) => {
      const { origin } = new URL(url);
      expect(isOriginAllowed(origin, 'loopback')).toBe(false);
      expect(isOriginAllowed(origin, 'public')).toBe(true);
    }),
  );
});

test('a request without an origin comes from no browser and is served', () => {
  expect(isOriginAllowed(null, 'loopback')).toBe(true);
  expect(isOriginAllowed(null, 'public')).toBe(true);
  for (const text of ['null', '', 'http://localhost/', 'http://localhost/path', 'http://user@localhost'])
    expect(isOriginAllowed(text, 'loopback')).toBe(false);
});
