import { Parser } from '@asyncapi/parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { asyncApiOf, type DescribedImplementation, openApiOf, type Release } from 'rostack-core';
import { expect, test } from 'vitest';
import { observatory } from './support/described-observatory.ts';

const described = ({ discovery, schemas }: DescribedImplementation) => ({
  openApi: openApiOf(discovery, schemas),
  asyncApi: asyncApiOf(discovery, schemas),
});

/** Errors and warnings of the parser; hints are not meant. */
const isFault = ({ severity }: { readonly severity: number }): boolean => severity <= 1;

const parsings = new Map<Release, ReturnType<Parser['parse']>>();
/** By the official parser, which takes seconds: once for each release. */
const parsed = (release: Release) => {
  const parsing =
    parsings.get(release) ?? new Parser().parse(JSON.stringify(described(observatory(release)).asyncApi));
  parsings.set(release, parsing);
  return parsing;
};

/** All values of a member, wherever it is. */
function valuesOf(value: unknown, member: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === member ? [inner] : []),
    ...valuesOf(inner, member),
  ]);
}

test.each(['2026-08-12', '2026-08-13'] as const)(
  'what a schema of release %s refers to is a component of its own, as generators of clients need it',
  (release) => {
    for (const description of Object.values(described(observatory(release)))) {
      const { schemas } = description['components'] as { schemas: object };
      const references = valuesOf(schemas, '$ref').filter((target) => typeof target === 'string');
      expect(references).toContain('#/components/schemas/stations.point');
      for (const target of references) {
        expect(target).toMatch(/^#\/components\/schemas\/[\w.-]+$/);
        expect(schemas).toHaveProperty([target.slice('#/components/schemas/'.length)]);
      }
      expect(valuesOf(schemas, '$defs')).toEqual([]);
    }
  },
);

test('a shared token is described as a key in a header: generators send nothing for a scheme of HTTP that they do not know', () => {
  const { components } = described(observatory('2026-08-13')).openApi as {
    components: { securitySchemes: object };
  };
  expect(components.securitySchemes).toMatchObject({
    shared_token: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: expect.stringContaining('`Rostack-Token`, a space, and the token'),
    },
  });
});

test.each(['2026-08-12', '2026-08-13'] as const)('OpenAPI of release %s passes redocly', async (release) => {
  const { openApi } = described(observatory(release));
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } });
  const problems = await lintFromString({ source: JSON.stringify(openApi), config });
  expect(
    problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
  ).toEqual([]);
});

test.each(['2026-08-12', '2026-08-13'] as const)(
  'AsyncAPI of release %s passes its parser',
  async (release) => {
    const { document, diagnostics } = await parsed(release);
    const found = diagnostics.map(({ code, message, path, severity }) => ({ code, message, path, severity }));
    expect(found.filter(isFault)).toEqual([]);
    expect(document?.operations().all().length).toBeGreaterThan(10);
  },
);

interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation; readonly servers?: unknown }>>;
  readonly info: { readonly description: string };
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly schema?: object }[];
  readonly responses: Readonly<Record<string, object>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

test('paths, parameters, problems and permissions are those of discovery', () => {
  const { paths, servers } = described(observatory('2026-08-13')).openApi as unknown as OpenApi;
  expect(servers).toEqual([{ url: 'https://observatory.example/data/api' }]);
  expect(Object.keys(paths)).toEqual([
    '/.well-known/rostack',
    '/stations',
    '/stations/{id}',
    '/weather-notes',
    '/weather-notes/{id}',
  ]);
  expect(paths['/.well-known/rostack']).toMatchObject({
    servers: [{ url: 'https://observatory.example' }],
    get: { security: [] },
  });
  const { parameters, responses, security } = paths['/stations']?.get ?? ({} as Operation);
  expect(parameters.map(({ name }) => name)).toEqual([
    'filter',
    'sort',
    'fields',
    'limit',
    'cursor',
    'If-None-Match',
  ]);
  expect(Object.keys(responses)).toEqual([
    '200',
    '304',
    '400',
    '401',
    '403',
    '404',
    '405',
    '406',
    '429',
    '500',
    '503',
  ]);
  expect(Object.keys(paths['/stations/{id}']?.get.responses ?? {})).toContain('410');
  expect(security).toEqual([{ oauth2: ['stations:read'] }, { shared_token: ['stations:read'] }]);
  expect(paths['/weather-notes']?.get.parameters.map(({ name }) => name)).not.toContain('filter');
});

test.each([
  [{ '/name': { eq: 'Seoul' } }, true],
  [
    {
      '/height': { gte: 3 },
      $or: [{ '/tags': { contains: 'a' } }, { $not: { '/name': { in: ['a', 'b'] } } }],
    },
    true,
  ],
  [{ '/height': { eq: 3 } }, false],
  [{ '/height': { gte: 'three' } }, false],
  [{ '/place/latitude': { eq: 3 } }, false],
  [{ $not: { '/name': { starts_with: 3 } } }, false],
  [{}, false],
])('the filter %j is %s by the schema', (filter, isValid) => {
  const { components } = described(observatory('2026-08-13')).openApi as unknown as OpenApi;
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'https://openapi.example/', components });
  const validate = ajv.compile({ $ref: 'https://openapi.example/#/components/schemas/stations.filter' });
  expect(validate(filter)).toBe(isValid);
});

test('references between schemas lead to the components, also into definitions', () => {
  const { components } = described(observatory('2026-08-13')).openApi as unknown as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'https://openapi.example/', components });
  const validate = ajv.compile({ $ref: 'https://openapi.example/#/components/schemas/stations' });
  const seoul = { latitude: 37.5, longitude: 127 };
  const record = { id: 'seoul', name: 'Seoul', tags: [], place: seoul, former_places: [seoul] };
  expect(validate(record)).toBe(true);
  expect(validate({ ...record, former_places: [{ latitude: 'north' }] })).toBe(false);
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain('/former_places/0/latitude');
});

test('what OpenAPI has no place for is named', () => {
  const { discovery, schemas } = observatory('2026-08-13');
  const resources = discovery.resources.map((resource) => ({
    ...resource,
    collection_url: `https://observatory.example/data?of=${resource.name}`,
  }));
  const openApi = openApiOf({ ...discovery, resources }, schemas) as unknown as OpenApi;
  expect(openApi.info.description).toContain(
    'OpenAPI has no place for: https://observatory.example/data?of=stations, https://observatory.example/data?of=weather-notes.',
  );
  expect(Object.keys(openApi.paths)).toHaveLength(3);
});

test('a discovery document that is not public needs credentials, and a resource takes filters of events only if it says so', () => {
  const { discovery, schemas } = observatory('2026-08-13');
  const changed = {
    ...discovery,
    authentication: { ...discovery.authentication, discovery_public: false },
    resources: discovery.resources.map((resource) => ({ ...resource, event_filtering: false })),
  };
  const { paths } = openApiOf(changed, schemas) as unknown as OpenApi;
  expect(paths['/.well-known/rostack']?.get.security).toEqual([{ oauth2: [] }, { shared_token: [] }]);
  const asked = (each: typeof discovery): readonly string[] => {
    const { components } = asyncApiOf(each, schemas) as unknown as {
      components: { messages: Record<string, { payload: { properties: object } }> };
    };
    return Object.keys(components.messages['subscribe.stations']?.payload.properties ?? {});
  };
  const before = asked(discovery);
  expect(before).toContain('filter');
  expect(asked(changed)).toEqual(before.filter((name) => name !== 'filter'));
});

test('events of AsyncAPI carry the data that the schemas say', async () => {
  const { document } = await parsed('2026-08-13');
  const created = document
    ?.allMessages()
    .all()
    .find((one) => one.name() === 'event.stations.station.created');
  const payload: unknown = created?.payload()?.json();
  const { properties } = payload as {
    properties: { event_type: object; data: { properties: object } };
  };
  expect(properties.event_type).toMatchObject({ type: 'string', const: 'station.created' });
  expect(Object.keys(properties.data.properties)).toEqual([
    'id',
    'name',
    'height',
    'tags',
    'place',
    'former_places',
    'owner',
    'kind',
    'reading',
    'parts',
  ]);
  const names = document
    ?.allOperations()
    .all()
    .map((operation) => operation.id());
  expect(names).toContain('receive.subscribe.stations');
  expect(names).not.toContain('receive.subscribe.weather-notes');
});
