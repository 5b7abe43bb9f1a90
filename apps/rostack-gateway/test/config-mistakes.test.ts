import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { runCommand } from './support/run-command.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

const data = join(import.meta.dirname, 'config-mistakes');
const valid = readFileSync(join(data, 'valid.yaml'), 'utf8');
const mistakes = z
  .array(z.strictObject({ name: z.string(), find: z.string(), write: z.string(), says: z.string() }))
  .parse(parse(readFileSync(join(data, 'mistakes.yaml'), 'utf8')));
const environment = { ADMIN_TOKEN: 'correct-horse-battery-staple' };
const SECRETS = /hunter2|correct-horse/;

let folder: TemporaryFolder;
let file: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  cpSync(data, folder.path, { recursive: true });
  file = join(folder.path, 'rostack-gateway.yaml');
});

afterAll(() => folder[Symbol.asyncDispose]());

function writeConfig({ find, write }: { readonly find: string; readonly write: string }): void {
  expect(valid).toContain(find);
  writeFileSync(
    file,
    valid.replace(find, () => write),
  );
}

test('without a mistake there is nothing to say', async () => {
  const result = await runCommand(['check-config', '--config', join(folder.path, 'valid.yaml')], {
    environment,
  });
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
});

test.each([
  ['max_changes: 450', '0.5 changes a second', '1100 KiB of past versions a second'],
  ['max_size: 1MiB', '1100 changes a second', '1.1 KiB of past versions a second'],
])('with %s the rates at which clients can read a list to its end are told', async (write, ...rates) => {
  writeConfig({ find: 'max_age: 7d', write });
  const { exitCode, stdout } = await runCommand(['check-config', '--config', file], { environment });
  expect(exitCode).toBe(0);
  const [, line] = stdout.split('\n');
  for (const words of ['clients have 15 minutes', ...rates]) expect(line).toContain(words);
});

test('a configuration that keeps as much as usual is told in one line', async () => {
  writeConfig({ find: 'max_age: 7d', write: 'max_age: 15m' });
  const { stdout } = await runCommand(['check-config', '--config', file], { environment });
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

test('there are at least 40 different mistakes', () => {
  expect(new Set(mistakes.map(({ says }) => says)).size).toBeGreaterThanOrEqual(40);
});

const ADVICE =
  /\b(?:write|put|set|name|add|keep|correct|round|declare|give|leave it out|did you mean|known here|such as)\b/;

test.each(mistakes)('$name: what to do is in the sentence', ({ says }) => {
  const [, ...advice] = says.split(/; |: (?=add |keep )| (?=has to )/);
  expect(advice.join('; ')).toMatch(ADVICE);
});

describe.each(['check-config', 'start'])('%s', (command) => {
  test.each(mistakes)('$name: one line with the place and what to write, exit code 2', async (mistake) => {
    writeConfig(mistake);
    const { exitCode, stdout, stderr } = await runCommand([command, '--config', file], { environment });
    const relative = stderr.replaceAll(`${folder.path}/`, '');
    expect(relative).toBe(`rostack-gateway.yaml:${mistake.says}\n`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toMatch(SECRETS);
  });
});

test.each(mistakes.filter((_, index) => index % 20 === 0))(
  '$name, in a process of its own',
  async (mistake) => {
    writeConfig(mistake);
    await using gateway = spawnGateway(['start', '--config', 'rostack-gateway.yaml'], {
      folder: folder.path,
      environment,
    });
    expect(await gateway.exited()).toBe(2);
    expect(gateway.stderr.replaceAll(`${folder.path}/`, '')).toBe(`rostack-gateway.yaml:${mistake.says}\n`);
  },
);

test('the samples of the guide are what is said', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/configuration.md'), 'utf8');
  const samples = [...guide.matchAll(/^rostack-gateway\.yaml:(\d.*)$/gm)].map(([, says]) => says);
  expect(samples.length).toBeGreaterThan(5);
  const said = mistakes.map(({ says }) => says);
  expect(samples.filter((sample) => sample === undefined || !said.includes(sample))).toEqual([]);
});

test('every mistake is told at once, in the order of the file', async () => {
  const twice = valid.replace('port: 8443', 'port: -1').replace('level: info', 'level: loud');
  writeFileSync(file, twice.replace('max_age: 7d', 'max_age: ever').replace('name: Harbour', "name: ''"));
  const { exitCode, stderr } = await runCommand(['check-config', '--config', file], { environment });
  expect(exitCode).toBe(2);
  expect(stderr.split('\n').map((line) => line.replace(`${file}:`, ''))).toEqual([
    expect.stringMatching(/^3:9: identity\.name/),
    expect.stringMatching(/^9:11: listeners\.data\.port/),
    expect.stringMatching(/^20:12: retention\.max_age/),
    expect.stringMatching(/^46:10: log\.level/),
    '',
  ]);
});

test.each([
  ['postgres://user:cor#rect@localhost/test', 'the URL has a #'],
  ['postgres://user:correct@one:5432,two:5432/test', 'the URL names several hosts'],
])('a URL of the store that could not be read is refused without any of it (%#)', async (url, says) => {
  writeFileSync(file, valid);
  const { exitCode, stderr } = await runCommand(['check-config', '--config', file], {
    environment: { ...environment, ROSTACK__STORE__URL: url },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`ROSTACK__STORE__URL: store.url: ${says}`);
  expect(stderr).not.toMatch(/cor#|rect|one:/);
});

test('a mistake of the file is told at its place there, whatever variables set beside it', async () => {
  writeConfig({ find: 'postgres://harbour@localhost/harbour', write: 'mysql://localhost/harbour' });
  const variables = { ROSTACK__STORE__READ_TIMEOUT: '3s' };
  const { stderr } = await runCommand(['check-config', '--config', file], {
    environment: { ...environment, ...variables },
  });
  expect(stderr).toContain(`${file}:16:8: store.url cannot be used as it is`);
});

test('a file that is not there', async () => {
  const { exitCode, stderr } = await runCommand(['start', '--config', join(folder.path, 'no.yaml')]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('no.yaml: there is no such file; name it with --config FILE');
});

test('an empty file', async () => {
  writeFileSync(file, '# nothing\n');
  const { exitCode, stderr } = await runCommand(['check-config', '--config', file]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`${file}:1:1: the file is empty; \`rostack-gateway init\` writes an example.\n`);
});

test('a section whose members are all commented out counts as absent', async () => {
  writeConfig({ find: 'log:\n  level: info', write: 'log:\n  # level: info' });
  expect(await runCommand(['check-config', '--config', file], { environment })).toMatchObject({
    exitCode: 0,
  });
});
