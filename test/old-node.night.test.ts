import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}

/** Every program that a package installs, or starts by `npm start`. */
const programs = globSync('{packages,apps}/*/package.json', { cwd: root })
  .sort()
  .flatMap((file) => {
    const {
      name,
      bin = {},
      scripts,
      engines,
    } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
    const started = /dist\/\S+\.js/.exec(scripts?.['start'] ?? '')?.[0];
    const entries = [...new Set(Object.values(bin)), ...(started === undefined ? [] : [started])];
    return entries.map((entry) => ({
      name,
      file: join(root, dirname(file), entry),
      oldest: engines.node.replace('>=', ''),
    }));
  });

function start(file: string, version: string, ...argv: readonly string[]) {
  const versions = `{ ...process.versions, node: '${version}' }`;
  const pretend = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${pretend}`, file, ...argv], options);
}

test('there are eleven programs', () => {
  expect(programs.map(({ name }) => name)).toEqual([
    'cafeteria-web',
    'rostack-gateway',
    'create-rostack',
    'menu-client',
    'menu-mcp',
    'menu-sandbox',
    'rostack-cli',
    'rostack-cli',
    'rostack-conformance',
    'rostack-explorer',
    'rostack-mcp',
  ]);
});

test.each(programs)('$name says in one sentence that it needs a newer Node', ({ name, file, oldest }) => {
  for (const version of ['20.20.2', '22.17.1']) {
    const { status, stdout, stderr } = start(file, version);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `${name} needs Node.js ${oldest} or later; this is ${version}.\n`,
    });
  }
});

test.each(programs)('$name loads nothing else before it has looked', ({ file }) => {
  const text = readFileSync(file, 'utf8');
  expect(text.match(/^import .*$/gm)).toEqual(["import process from 'node:process';"]);
});

test.each(programs.filter(({ name }) => name !== 'cafeteria-web'))(
  '$name runs under the oldest Node that it names',
  ({ file, oldest }) => {
    const { status, stdout } = start(file, `${oldest}.0`, '--help');
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/\S/) });
  },
);
