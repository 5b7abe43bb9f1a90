import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { publishedConfigSchema } from './config-schema.ts';

test('schemas/rostack-gateway/config.json is what the model says; else run `pnpm --filter rostack-gateway schemas`', () => {
  const file = resolve(import.meta.dirname, '../../../../../schemas/rostack-gateway/config.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(publishedConfigSchema());
});

test('the published schema holds no notes of our own, and describes every member at the top', () => {
  const schema = publishedConfigSchema();
  expect(JSON.stringify(schema)).not.toMatch(/"write":"|"secret":true/);
  expect(Object.keys(schema['properties'] as object)).toEqual(
    expect.arrayContaining(['identity', 'listeners', 'store', 'retention', 'authentication', 'resources']),
  );
});
