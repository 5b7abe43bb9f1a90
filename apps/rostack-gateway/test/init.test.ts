import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { get } from './support/get.ts';
import { runCommand } from './support/run-command.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

let folder: TemporaryFolder;
let file: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'rostack-gateway.yaml');
});

afterEach(() => folder[Symbol.asyncDispose]());

const SECRETS = {
  CANARY_TOKEN: 'canary-token',
  ROSTACK_KEYS: 'k'.repeat(43),
  ROSTACK_ADMIN_TOKEN: 'a'.repeat(43),
  DATABASE_URL: 'postgres://nobody:secret@localhost/none',
  DIRECT_DATABASE_URL: 'postgres://nobody:secret@localhost/none',
  NATS_TOKEN: 'nats',
  OAUTH_CLIENT_SECRET: 'o'.repeat(43),
  OTLP_HEADERS: 'a=b',
};

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

/** Every name that the configuration knows. */
function memberNames(node: SchemaNode): string[] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = node;
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [name, ...memberNames(member)]),
    ...(typeof additionalProperties === 'object' ? memberNames(additionalProperties) : []),
    ...(items === undefined ? [] : memberNames(items)),
    ...anyOf.flatMap(memberNames),
  ];
}

test('says what to run next, by npx where npx ran it', async () => {
  const into = (name: string, npmCommand: string) =>
    spawnGateway(['init', name], { folder: folder.path, environment: { npm_command: npmCommand } });
  await using installed = into('installed', '');
  await using byNpx = into('by-npx', 'exec');
  expect([await installed.exited(), await byNpx.exited()]).toEqual([0, 0]);
  expect(installed.stderr).toContain('next: rostack-gateway start --config installed/rostack-gateway.yaml\n');
  expect(byNpx.stderr).toContain('next: npx rostack-gateway start --config by-npx/rostack-gateway.yaml\n');
});

test('what it writes starts as it is, and answers', async () => {
  await using init = spawnGateway(['init'], { folder: folder.path });
  expect(await init.exited()).toBe(0);
  expect(init.stderr).toContain('next: rostack-gateway start');
  await using gateway = spawnGateway(['start'], {
    folder: folder.path,
    environment: { ROSTACK__LISTENERS__DATA__PORT: '0' },
  });
  const [, port] = await gateway.prints(/on port (\d+)/);
  const ca = readFileSync(join(folder.path, 'data/localhost.crt.pem'), 'utf8');
  const { status, body } = await get(`https://localhost:${port}/.well-known/rostack`, { ca });
  expect(status).toBe(200);
  expect(body).toMatchObject({ implementation: { id: 'my-stations' }, resources: [{ name: 'stations' }] });
  expect(await gateway.stop('SIGTERM')).toBe(0);
});

test('the example shows every member that there is, and is valid with all of them set', async () => {
  await runCommand(['init', folder.path]);
  const text = readFileSync(file, 'utf8');
  const schema = JSON.parse(
    readFileSync(join(folder.path, 'rostack-gateway.schema.json'), 'utf8'),
  ) as SchemaNode;
  const missing = memberNames(schema).filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
  expect(missing).toEqual([]);

  const whole = text.replaceAll(/^( *)# (?= *[a-z][a-z0-9_]+:)/gm, '$1');
  expect(whole.split('\n').length).toBe(text.split('\n').length);
  writeFileSync(file, whole);
  expect(await runCommand(['check-config', '--config', file], { environment: SECRETS })).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
});

test('editors that know JSON Schema accept it and find mistakes in it', async () => {
  await runCommand(['init', folder.path]);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(
    JSON.parse(readFileSync(join(folder.path, 'rostack-gateway.schema.json'), 'utf8')) as object,
  );
  const text = readFileSync(file, 'utf8');
  expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
  expect(validate(parse(text.replace('port: 8443', 'port: 84430')))).toBe(false);
  expect(validate(parse(text.replace('port: 8443', 'prot: 8443')))).toBe(false);
});

test('overwrites nothing', async () => {
  writeFileSync(file, 'mine');
  const { exitCode, stderr } = await runCommand(['init', folder.path]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${file} exists already`);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(existsSync(join(folder.path, 'schemas'))).toBe(false);
});
