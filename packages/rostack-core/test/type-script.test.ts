import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineImplementation, typeScriptOf } from 'rostack-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const TSC = new URL('../../../node_modules/.bin/tsc', import.meta.url).pathname;

const point = z
  .strictObject({ latitude: z.number(), longitude: z.number() })
  .meta({ id: 'point', description: 'A place.\nIn degrees */ of WGS 84.' });
/** A schema that refers to itself. */
const part = z
  .strictObject({
    name: z.string(),
    get parts() {
      return z.array(part);
    },
  })
  .meta({ id: 'part' });

const { discovery, schemas } = defineImplementation({
  id: 'my-observatory',
  name: 'Observatory',
  apiVersion: '7',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example',
  permissions: { 'stations:read': 'Read stations' },
  resources: {
    stations: {
      description: 'Weather stations',
      model: z.strictObject({
        id: z.string(),
        name: z.string().nullable(),
        status: z.enum(['on', "it's off"]),
        range: z.tuple([z.number(), z.number()]),
        height: z.number().optional(),
        tags: z.array(z.string()),
        'last-check': z.union([
          z.strictObject({ kind: z.literal('passed') }),
          z.strictObject({ kind: z.literal('failed'), faults: z.int() }),
        ]),
        place: point,
        machine: part,
      }),
      readPermissions: ['stations:read'],
      filterable: { '/name': 'all', '/height': ['gte', 'in'], '/tags': ['contains'] },
      sortable: ['/name', '/height'],
      events: {
        'station.created': { transition: 'create' },
        'station.removed': { transition: 'delete', carries: 'nothing' },
      },
    },
    'weather-notes': {
      model: z.strictObject({ id: z.int(), text: z.string() }),
      readPermissions: ['stations:read'],
    },
  },
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'type-script-'));
  await writeFile(join(folder, 'observatory.ts'), typeScriptOf(discovery, schemas));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the compiler says of a program that uses the types, a line each. */
async function compile(program: string): Promise<readonly string[]> {
  const file = join(folder, 'program.ts');
  await writeFile(file, program);
  const options = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
    '--types',
    '',
  ];
  const output = await new Promise<string>((resolve) => {
    execFile(TSC, ['--ignoreConfig', ...options, file], (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  return output.split('\n').filter((line) => line !== '');
}

const PROGRAM = `
import type { MyObservatory, StationsRecord, WeatherNotesRecord } from './observatory';
type Types = NonNullable<MyObservatory['~types']>;
type Filters = Types['stations']['filterable'];

export const station: StationsRecord = {
  id: 'seoul', name: null, status: "it's off", range: [0, 9], tags: ['a'], 'last-check': { kind: 'failed', faults: 3 },
  place: { latitude: 1, longitude: 2 }, machine: { name: 'a', parts: [{ name: 'b', parts: [] }] },
};
export const note: WeatherNotesRecord = { id: 1, text: '' };
export const name: Filters['/name'] = { eq: null, starts_with: 'S', in: ['a', null], exists: true };
export const height: Filters['/height'] = { gte: 3, in: [1, 2] };
export const tags: Filters['/tags'] = { contains: 'a' };
export const sorts: Types['stations']['sortable'][] = ['/name', '/height'];
export const created: Types['stations']['events']['station.created']['data'] = station;
export const removed: Types['stations']['events']['station.removed'] = { transition: 'delete', data: undefined };
`;

test('programs that use records, filters, sorts and events as the schemas say compile', async () => {
  expect(await compile(PROGRAM)).toEqual([]);
});

test('others do not, each for its own mistake', async () => {
  const mistakes = [
    "export const a: StationsRecord = { ...station, status: 'off' };",
    "export const b: StationsRecord = { ...station, 'last-check': { kind: 'failed' } };",
    "export const c: StationsRecord = { ...station, machine: { name: 'a', parts: [{}] } };",
    "export const d: WeatherNotesRecord = { id: '1', text: '' };",
    "export const e: Filters['/height'] = { eq: 3 };",
    "export const f: Filters['/name'] = { gt: null };",
    "export const g: Types['stations']['sortable'] = '/tags';",
    "export const h: Types['boats'] = {};",
    'export const i: StationsRecord = { ...station, range: [1] };',
    "export const j: WeatherNotesRecord = { id: 1, text: '', more: true };",
  ];
  const lines = PROGRAM.split('\n').length;
  const found = (await compile(`${PROGRAM}\n${mistakes.join('\n')}\n`)).filter((line) =>
    line.includes('error TS'),
  );
  expect(found.map((line) => Number(/\((\d+),/.exec(line)?.[1]) - lines)).toEqual(
    mistakes.map((_, at) => at + 1),
  );
});

test('descriptions are comments that nothing in them ends', () => {
  const text = typeScriptOf(discovery, schemas, 'https://observatory.example');
  expect(text).toContain('/**\n * A place.\n * In degrees *\\/ of WGS 84.\n */\nexport interface Point {');
  expect(text).toContain('API version 7, as https://observatory.example describes them.');
});

test('what all of several schemas describe keeps the choices of each together, and other members go beside named ones', () => {
  const { schema_url: url = '' } = discovery.resources[1]?.representations[0] ?? {};
  const of = (...types: readonly string[]) => ({ anyOf: types.map((type) => ({ type })) });
  const schema = {
    ...schemas.get(url),
    properties: {
      text: { allOf: [of('string', 'number'), of('number', 'boolean')] },
      labels: {
        type: 'object',
        properties: { id: { type: 'string' } },
        patternProperties: { '^x-[a-z]+$': { type: 'number' } },
      },
    },
  };
  const types = typeScriptOf(discovery, new Map([...schemas, [url, schema]]));
  expect(types).toContain('(string | number) & (number | boolean)');
  // An index signature that named members do not fit does not compile.
  expect(types).toContain('readonly [member: string]: unknown;');
});
