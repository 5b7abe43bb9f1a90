import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { type GatewayConfig, loadConfig, parseConfig } from '../src/index.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';

const NAMES = ['first', 'second', 'third'];
/** What is written first is the longest, and so is read last. */
const LENGTHS = [4_000_000, 100_000, 10];

test('what is published is in the order of the configuration, whichever file is read first', async () => {
  await using folder = await temporaryFolder();
  for (const [index, name] of NAMES.entries()) {
    const schema = { ...stationSchema, description: 'x'.repeat(LENGTHS[index] ?? 0) };
    await writeFile(join(folder.path, `${name}.json`), JSON.stringify(schema));
  }
  const files = Object.fromEntries(NAMES.map((name) => [`part-${name}`, `${name}.json`]));
  const resource = (name: string) => ({
    schema: `${name}.json`,
    read_permissions: ['all:read'],
    representations: Object.fromEntries(
      NAMES.map((each) => [
        `application/vnd.${each}+json`,
        { schema: `${each}.json`, map: { '/id': { from: '/id' }, '/height': { from: '/height' } } },
      ]),
    ),
  });
  const config: GatewayConfig = await parseConfig(
    {
      identity: { id: 'order', name: 'Order', api_version: '1' },
      listeners: { data: { port: 0 } },
      permissions: { 'all:read': 'Read all.' },
      schemas: files,
      resources: Object.fromEntries(NAMES.map((name) => [name, resource(name)])),
    },
    { environment: {}, folder: folder.path },
  );
  expect(Object.keys(config.resources)).toEqual(NAMES);
  expect(Object.keys(config.schemas)).toEqual(NAMES.map((name) => `part-${name}`));
  expect(Object.values(config.resources).map(({ representations }) => Object.keys(representations))).toEqual(
    NAMES.map(() => NAMES.map((name) => `application/vnd.${name}+json`)),
  );
});

test('an object may be at several places of a configuration, as that of a YAML alias is', async () => {
  await using folder = await temporaryFolder();
  const file = await writeSampleConfig(folder.path, {
    sections: [
      'rates: { shared: false }',
      'schemas: { part: &part other.json }',
      'alternate_versions:',
      '  - &other { api_version: "0", discovery_url: "https://old.example/.well-known/rostack" }',
      '  - *other',
    ].join('\n'),
  });
  await writeFile(join(folder.path, 'other.json'), JSON.stringify(stationSchema));
  const written = await readFile(file, 'utf8');
  const twice = written
    .replace('  stations:\n', '  stations: &stations\n')
    .replace(/^rates: .*$/m, '  others: *stations');
  await writeFile(file, twice);
  const config = await loadConfig(file, { environment: {} });
  expect(Object.keys(config.resources)).toEqual(['stations', 'others']);
  expect(config.resources['others']).toEqual(config.resources['stations']);
  expect(config.alternateVersions).toHaveLength(2);
});

test('an object of a program that is inside of itself, or nested too deep, is a mistake with its member', async () => {
  const cyclic: Record<string, unknown> = {};
  Object.assign(cyclic, { first: cyclic, second: [cyclic] });
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 100_000; level += 1) deep = { deep };
  for (const identity of [cyclic, deep]) {
    const parsed = parseConfig({ identity } as unknown as Parameters<typeof parseConfig>[0], {
      environment: {},
    });
    await expect(parsed).rejects.toMatchObject({
      code: 'config_invalid',
      mistakes: [{ path: ['identity'], message: expect.stringContaining('inside of itself') }],
    });
  }
});
