import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { VERSION } from './identity.ts';

test('the server names the version of its package', () => {
  expect(VERSION).toBe(packageJson.version);
});
