import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram } from 'test-support/built-program';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

const run = promisify(execFile);
const app = resolve(import.meta.dirname, '..');
const program = builtProgram('apps/rostack-gateway/dist/cli/main.js');
const readme = readFileSync(join(app, 'README.md'), 'utf8');
const page = readFileSync(join(app, '../../docs/libraries/gateway.md'), 'utf8');
const block = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? '';

test('the first commands lead to a gateway that answers the curl command with the token', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const commands = block('sh')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim());
  const [install, init = '', create = '', start = '', curl = ''] = commands;
  expect([install, start]).toEqual(['npm install rostack-gateway', 'npx rostack-gateway start']);
  const shell = async (line: string) =>
    (await run('sh', ['-c', line.replace('npx rostack-gateway', `node ${program}`)], { cwd })).stdout;

  await shell(init);
  const token = (await shell(create)).trim();
  const environment = { ROSTACK__LISTENERS__DATA__PORT: '0' };
  await using gateway = spawnGateway(['start'], { folder: cwd, environment });
  const [, port = ''] = await gateway.prints(/on port (\d+)/);
  const request = curl.replace('<token>', token).replace(':8443', `:${port}`);
  expect(JSON.parse(await shell(`${request} --silent`))).toMatchObject({ items: [] });
});

test('the program of the README runs', async () => {
  await using folder = await temporaryFolder();
  await runCommand(['init', folder.path]);
  const code = block('ts').replace(
    "'rostack-gateway.yaml'",
    JSON.stringify(join(folder.path, 'rostack-gateway.yaml')),
  );
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: app,
    env: { PATH: process.env['PATH'], ROSTACK__LISTENERS__DATA__PORT: '0' },
  });
  expect(stdout).toMatch(/^https:\/\/localhost:\d+ rostack_\w+\n$/);
});

test('the table names every command of the program, and no other', async () => {
  const { stdout: help } = await runCommand(['--help']);
  const { stdout: tokenHelp } = await runCommand(['token', '--help']);
  const namesIn = (text: string) =>
    [...(text.split('Commands:\n')[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  const commands = namesIn(help).filter((name) => name !== 'help' && name !== 'token');
  const tokenCommands = namesIn(tokenHelp).filter((name) => name !== 'help');
  const expected = [...commands, ...tokenCommands.map((name) => `token ${name}`)].sort();
  const inTable = [...page.matchAll(/^\| `((?:token )?[a-z-]+)[^`]*` +\|/gm)].map(([, name = '']) => name);
  expect(inTable.sort()).toEqual(expected);
});
