import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { RELEASES, releaseSchemas, SCHEMA_ID_BASES } from '../src/index.ts';

const folder = resolve(import.meta.dirname, '../../../schemas/rostack_v1/releases');

test.each(RELEASES)('the files of %s say what the models say', (release) => {
  const schemas = releaseSchemas(release);
  expect(readdirSync(resolve(folder, release)).toSorted()).toEqual([...schemas.keys()].toSorted());
  for (const [file, schema] of schemas) {
    const text = readFileSync(resolve(folder, release, file), 'utf8');
    expect(text, `${file} is not what the model says: run \`pnpm --filter rostack-core schemas\``).toBe(
      `${JSON.stringify(schema, null, 2)}\n`,
    );
  }
});

test('no release folder is left over', () => {
  expect(readdirSync(folder).toSorted()).toEqual([...RELEASES]);
});

test.each(RELEASES)('the schemas of %s are valid, under their $id', (release) => {
  const ajv = new Ajv2020({ validateFormats: false });
  for (const [file, schema] of releaseSchemas(release)) {
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${SCHEMA_ID_BASES[release]}${file}`,
    });
  }
});

test('the files that the protocol names, where it names them', () => {
  expect([...releaseSchemas('2026-08-12').values()].map(({ $id }) => $id)).toEqual([
    'https://spec.rostack.example/rostack_v1/discovery.schema.json',
    'https://spec.rostack.example/rostack_v1/filter.schema.json',
    'https://spec.rostack.example/rostack_v1/websocket-message.schema.json',
  ]);
  expect([...releaseSchemas('2026-08-13').values()].map(({ $id }) => $id)).toEqual([
    'https://spec.pmh.codes/apis/rostack_v1/releases/2026-08-13/schemas/discovery.schema.json',
    'https://spec.pmh.codes/apis/rostack_v1/releases/2026-08-13/schemas/filter.schema.json',
    'https://spec.pmh.codes/apis/rostack_v1/releases/2026-08-13/schemas/problem.schema.json',
    'https://spec.pmh.codes/apis/rostack_v1/releases/2026-08-13/schemas/websocket-message.schema.json',
  ]);
});
