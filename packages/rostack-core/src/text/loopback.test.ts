import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1', true],
  ['http://127.1', true],
  ['http://127.255.0.254:8080', true],
  ['http://[0:0:0:0:0:0:0:1]', true],
  ['http://localhost.', false],
  ['http://localhost.example', false],
  ['http://127.0.0.1.example', false],
  ['http://128.0.0.1', false],
  ['http://0.0.0.0', false],
  ['http://[::2]', false],
])('%s is on this computer: %s', (url, is) => {
  expect(isLoopback(new URL(url).hostname)).toBe(is);
});
