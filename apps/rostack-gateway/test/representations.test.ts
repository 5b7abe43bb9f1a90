import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type JsonObject, type JsonValue, parseDiscovery, RELEASES, type Release } from 'rostack-core';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, createToken, type Gateway, loadConfig } from '../src/index.ts';
import { bearing } from './support/get.ts';

const GEOJSON = 'application/geo+json';
const CARD = 'application/vnd.example.card+json';

const text = { type: 'string' };
const number = { type: 'number' };
const closed = (properties: object, required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});

const SCHEMAS = {
  'station.schema.json': closed({ id: text, name: text, longitude: number, latitude: number, note: text }, [
    'id',
    'name',
    'longitude',
    'latitude',
  ]),
  'station.geojson.schema.json': closed(
    {
      type: { const: 'Feature' },
      id: text,
      geometry: closed(
        {
          type: { const: 'Point' },
          coordinates: { type: 'array', prefixItems: [number, number], items: false, minItems: 2 },
        },
        ['type', 'coordinates'],
      ),
      properties: closed({ name: text, note: text }, ['name']),
    },
    ['type', 'id', 'geometry', 'properties'],
  ),
  'station.card.schema.json': closed({ version: { const: 2 }, key: text, label: text }, [
    'version',
    'key',
    'label',
  ]),
};

const configuration = (release: Release) => `
identity: { id: observatory, name: Observatory, api_version: "1" }
protocol: { release: "${release}" }
listeners: { data: { port: 0 } }
permissions: { stations:read: Read stations. }
resources:
  stations:
    schema: station.schema.json
    read_permissions: [stations:read]
    representations:
      application/geo+json:
        schema: station.geojson.schema.json
        description: Stations as GeoJSON features.
        map:
          /type: { constant: Feature }
          /id: { from: /id }
          /geometry/type: { constant: Point }
          /geometry/coordinates/0: { from: /longitude }
          /geometry/coordinates/1: { from: /latitude }
          /properties/name: { from: /name }
          /properties/note: { from: /note }
      application/vnd.example.card+json:
        schema: station.card.schema.json
        map:
          /version: { constant: 2 }
          /key: { from: /id }
          /label: { from: /name }
`;

/** What RFC 7946 says of a feature with a point (sections 3.1.1, 3.1.2 and 3.2), as the schemas of geojson.org have it. */
const RFC_7946_POINT_FEATURE = {
  type: 'object',
  required: ['type', 'properties', 'geometry'],
  properties: {
    type: { enum: ['Feature'] },
    id: { oneOf: [{ type: 'number' }, { type: 'string' }] },
    properties: { oneOf: [{ type: 'null' }, { type: 'object' }] },
    geometry: {
      type: 'object',
      required: ['type', 'coordinates'],
      properties: {
        type: { enum: ['Point'] },
        coordinates: { type: 'array', minItems: 2, items: { type: 'number' } },
        bbox: { type: 'array', minItems: 4, items: { type: 'number' } },
      },
      // Section 7.1: members of other types would make it something else.
      not: {
        anyOf: ['geometry', 'properties', 'features', 'geometries'].map((name) => ({ required: [name] })),
      },
    },
  },
  not: { anyOf: ['coordinates', 'geometries', 'features'].map((name) => ({ required: [name] })) },
};

const stations: readonly JsonObject[] = [
  { id: 'seoul', name: '서울', longitude: 126.97, latitude: 37.57, note: 'roof' },
  { id: 'busan', name: 'Busan', longitude: 129.03, latitude: 35.1 },
];
const features = [
  {
    type: 'Feature',
    id: 'busan',
    geometry: { type: 'Point', coordinates: [129.03, 35.1] },
    properties: { name: 'Busan' },
  },
  {
    type: 'Feature',
    id: 'seoul',
    geometry: { type: 'Point', coordinates: [126.97, 37.57] },
    properties: { name: '서울', note: 'roof' },
  },
];

interface Answer {
  readonly status: number;
  readonly mediaType: string | null;
  readonly etag: string;
  readonly body: JsonValue;
}

class Serving implements AsyncDisposable {
  readonly #gateway: Gateway;
  readonly #token: string;

  private constructor(gateway: Gateway, token: string) {
    this.#gateway = gateway;
    this.#token = token;
  }

  static async start(folder: string, config: string): Promise<Serving> {
    for (const [name, schema] of Object.entries(SCHEMAS))
      await writeFile(join(folder, name), JSON.stringify(schema));
    const file = join(folder, 'rostack-gateway.yaml');
    await writeFile(file, config);
    const gateway = await createGateway(
      await loadConfig(file, { environment: { ROSTACK__DATA_DIR: folder } }),
    );
    const { token } = await createToken(gateway.store.tokens, { subject: 'me', grants: ['stations:read'] });
    return new Serving(gateway, token);
  }

  async put(...records: readonly JsonObject[]): Promise<void> {
    await this.#gateway.store.apply(records.map((record) => ({ op: 'put', resource: 'stations', record })));
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const url = new URL(path, this.#gateway.url);
    const response = await this.#gateway.app.request(url, {
      headers: { ...bearing(this.#token), ...headers },
    });
    const content = await response.text();
    return {
      status: response.status,
      mediaType: response.headers.get('content-type'),
      etag: response.headers.get('etag') ?? '',
      body: content === '' ? null : (JSON.parse(content) as JsonValue),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#gateway.close({ drainTimeoutMs: 0 });
  }
}

const LIST = '/api/stations?limit=10';
const ITEM = '/api/stations/seoul';
const itemsOf = ({ body }: Answer) => (body as unknown as { items: JsonValue[] }).items;

describe.each(RELEASES)('representations of a configuration file, release %s', (release) => {
  let folder: TemporaryFolder;
  let serving: Serving;

  beforeAll(async () => {
    folder = await temporaryFolder();
    serving = await Serving.start(folder.path, configuration(release));
    await serving.put(...stations);
  });

  afterAll(async () => {
    await serving[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('lists and items are GeoJSON features, and valid by RFC 7946', async () => {
    const list = await serving.get(LIST, { accept: GEOJSON });
    expect(list).toMatchObject({ status: 200, mediaType: GEOJSON });
    expect(itemsOf(list)).toEqual(features);
    const item = await serving.get(ITEM, { accept: GEOJSON });
    expect(item).toMatchObject({ status: 200, mediaType: GEOJSON, body: features[1] });
    const validate = new Ajv2020({ strict: false }).compile(RFC_7946_POINT_FEATURE);
    for (const shown of [...itemsOf(list), item.body]) {
      expect([validate(shown), validate.errors]).toEqual([true, null]);
    }
  });

  test.each([
    [CARD, CARD],
    ['*/*', 'application/json'],
    [`application/json;q=0.5, ${CARD}`, CARD],
    [`${GEOJSON};q=0.3, ${CARD};q=0.7`, CARD],
    ['application/json;q=0, */*', GEOJSON],
    [`text/html, ${GEOJSON};q=0.1`, GEOJSON],
  ])('Accept %s is answered as %s', async (accept, expected) => {
    for (const path of [LIST, ITEM]) {
      expect(await serving.get(path, { accept })).toMatchObject({ status: 200, mediaType: expected });
    }
    const { body } = await serving.get(ITEM, { accept });
    const shown: Readonly<Record<string, unknown>> = {
      'application/json': stations[0],
      [GEOJSON]: features[1],
      [CARD]: { version: 2, key: 'seoul', label: '서울' },
    };
    expect(body).toEqual(shown[expected]);
  });

  test('what nothing is mapped to is not acceptable', async () => {
    for (const accept of ['text/html', 'application/vnd.example.other+json', `${GEOJSON};q=0, text/*`]) {
      for (const path of [LIST, ITEM]) {
        expect(await serving.get(path, { accept })).toMatchObject({
          status: 406,
          body: { title: 'Representation not acceptable' },
        });
      }
    }
  });

  test('fields are those of the representation', async () => {
    const fields = '/geometry/coordinates,/properties/note';
    const list = await serving.get(`${LIST}&fields=${fields}`, { accept: GEOJSON });
    expect(itemsOf(list)).toEqual([
      { geometry: { coordinates: [129.03, 35.1] }, properties: {} },
      { geometry: { coordinates: [126.97, 37.57] }, properties: { note: 'roof' } },
    ]);
    const item = await serving.get(`${ITEM}?fields=/label`, { accept: CARD });
    expect(item.body).toEqual({ label: '서울' });
    for (const [accept, field] of [
      ['application/json', '/geometry'],
      [GEOJSON, '/longitude'],
      [GEOJSON, '/geometry/coordinates/2'],
      [CARD, '/name'],
    ]) {
      for (const path of [`${LIST}&fields=${field}`, `${ITEM}?fields=${field}`]) {
        expect(await serving.get(path, { accept: accept ?? '' })).toMatchObject({
          status: 400,
          body: { title: 'Invalid fields' },
        });
      }
    }
  });

  test('each has ETags of its own, which are confirmed and end with a change', async () => {
    for (const path of [LIST, ITEM, `${LIST}&fields=/id`, `${ITEM}?fields=/id`]) {
      const accepts = path.includes('fields')
        ? ['application/json', GEOJSON]
        : ['application/json', GEOJSON, CARD];
      const etags: string[] = [];
      for (const accept of accepts) {
        const { etag } = await serving.get(path, { accept });
        expect(await serving.get(path, { accept, 'if-none-match': etag })).toMatchObject({
          status: 304,
          etag,
        });
        etags.push(etag);
      }
      expect(new Set(etags).size).toBe(accepts.length);
      expect(await serving.get(path, { accept: GEOJSON, 'if-none-match': etags[0] ?? '' })).toMatchObject({
        status: 200,
      });
    }
    const before = await serving.get(ITEM, { accept: GEOJSON });
    await serving.put({ ...stations[0], note: 'tower' });
    const after = await serving.get(ITEM, { accept: GEOJSON, 'if-none-match': before.etag });
    expect(after).toMatchObject({ status: 200, body: { properties: { note: 'tower' } } });
    await serving.put(...stations);
  });

  test('discovery lists each with its schema, which is served, closed, and takes what is shown', async () => {
    const document = parseDiscovery((await serving.get('/.well-known/rostack')).body, { release });
    const [resource] = document.resources;
    expect(resource?.representations).toMatchObject([
      { media_type: 'application/json' },
      { media_type: GEOJSON, description: 'Stations as GeoJSON features.' },
      { media_type: CARD },
    ]);
    for (const { media_type: accept, schema_url: url } of resource?.representations ?? []) {
      const schema = (await serving.get(url)).body as JsonObject;
      expect(schema).toMatchObject({ $id: url, additionalProperties: false });
      const validate = new Ajv2020({ strict: false }).compile(schema);
      for (const shown of itemsOf(await serving.get(LIST, { accept }))) {
        expect([validate(shown), validate.errors]).toEqual([true, null]);
      }
    }
  });
});

test('another mapping after a restart is another ETag, though the records are as they were', async () => {
  await using folder = await temporaryFolder();
  const config = configuration(RELEASES[0]);
  const etags: string[] = [];
  {
    await using serving = await Serving.start(folder.path, config);
    await serving.put(...stations);
    for (const path of [LIST, ITEM]) etags.push((await serving.get(path, { accept: GEOJSON })).etag);
  }
  await using serving = await Serving.start(
    folder.path,
    config.replace('from: /longitude', 'from: /latitude'),
  );
  for (const [index, path] of [LIST, ITEM].entries()) {
    const answer = await serving.get(path, { accept: GEOJSON, 'if-none-match': etags[index] ?? '' });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      200,
      expect.stringContaining('[37.57,37.57]'),
    ]);
  }
});
