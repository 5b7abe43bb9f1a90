import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, parseDiscovery } from 'rostack-core';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway, createToken, type Gateway, loadConfig } from '../src/index.ts';
import { bearing } from './support/get.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    tenant: { type: 'string' },
    name: { type: 'string' },
    salary: { type: 'number' },
  },
  required: ['id', 'tenant', 'name', 'salary'],
};

const CONFIG = `
identity: { id: people, name: People, api_version: "1" }
listeners: { data: { port: 0 } }
permissions: { people:read: Read people., people:private: Read what they earn. }
resources:
  people:
    schema: person.schema.json
    read_permissions: [people:read]
    filterable: { /salary: all, /name: all }
    visible: { /tenant: { in: [shared, { principal: claims.tenant }] } }
    hidden: { /salary: [people:private] }
    representations:
      application/vnd.example.person+json: { requires: [people:private] }
    events:
      person.created: { transition: create }
      person.updated: { transition: update, carries: [id, name] }
      person.deleted: { transition: delete }
`;
const WHOLE = 'application/vnd.example.person+json';
const person = (id: string, tenant: string, salary: number) => ({
  id,
  tenant,
  name: id.toUpperCase(),
  salary,
});

let folder: TemporaryFolder;
let gateway: Gateway;

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder.path, 'person.schema.json'), JSON.stringify(SCHEMA));
  const file = join(folder.path, 'rostack-gateway.yaml');
  await writeFile(file, CONFIG);
  gateway = await createGateway(await loadConfig(file, { environment: { ROSTACK__DATA_DIR: folder.path } }));
  await gateway.store.apply(
    [person('a1', 'a', 1), person('b1', 'b', 2), person('s1', 'shared', 3)].map((record) => ({
      op: 'put',
      resource: 'people',
      record,
    })),
  );
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function ask(
  path: string,
  { claims, grants = [], accept = '*/*' }: { claims?: JsonObject; grants?: string[]; accept?: string },
) {
  const { token } = await createToken(gateway.store.tokens, {
    subject: 'someone',
    grants: ['people:read', ...grants],
    claims,
  });
  const response = await gateway.app.request(new URL(path, gateway.url), {
    headers: { ...bearing(token), accept },
  });
  return { status: response.status, body: (await response.json()) as JsonObject };
}

test('a principal sees the rows that its claims say, without hidden fields', async () => {
  const claims = { tenant: 'a' };
  const shown = ({ id, tenant, name }: ReturnType<typeof person>) => ({ id, tenant, name });
  expect((await ask('/api/people', { claims })).body.items).toEqual([
    shown(person('a1', 'a', 1)),
    shown(person('s1', 'shared', 3)),
  ]);
  expect(await ask('/api/people/b1', { claims })).toMatchObject({ status: 404 });
  expect((await ask('/api/people', {})).body.items).toEqual([]);
  expect(await ask('/api/people/s1', { claims: { tenant: ['a'] } })).toMatchObject({ status: 404 });
});

test('hidden fields are in the representation that requires their permission', async () => {
  const claims = { tenant: 'b' };
  const grants = ['people:private'];
  expect((await ask('/api/people', { claims, grants, accept: WHOLE })).body.items).toEqual([
    person('b1', 'b', 2),
    person('s1', 'shared', 3),
  ]);
  expect((await ask('/api/people/b1', { claims, grants })).body).not.toHaveProperty('salary');
  expect(await ask('/api/people/b1', { claims, accept: WHOLE })).toMatchObject({ status: 403 });
  const bySalary = `/api/people?filter=${encodeURIComponent('{"/salary":{"gt":2}}')}`;
  expect(await ask(bySalary, { claims })).toMatchObject({ status: 403 });
  expect((await ask(bySalary, { claims, grants })).body.items).toMatchObject([{ id: 's1' }]);
});

test('neither the schema of application/json nor those of events have them', async () => {
  const read = async (url: string) => (await gateway.app.request(url)).json() as Promise<JsonObject>;
  const { resources } = parseDiscovery(await read(`${gateway.url}/.well-known/rostack`));
  const [people] = resources;
  if (people === undefined) throw new Error('there is no resource');
  const urls = [...people.representations, ...people.events].map(({ schema_url: url }) => url);
  const schemas = await Promise.all(urls.map(read));
  expect(schemas.map((schema) => JSON.stringify(schema).includes('salary'))).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
  expect(people.filtering.filterable_fields).not.toHaveProperty('/tenant');
});
