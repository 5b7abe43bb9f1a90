import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { RELEASES, releaseSchemas } from '../src/index.ts';

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
