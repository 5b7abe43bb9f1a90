import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createProject, TEMPLATES, type Template } from 'create-rostack';
import { builtProgram } from 'test-support/built-program';
import { freePort } from 'test-support/free-port';
import { describePython } from 'test-support/python';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../../..');
const templates = Object.keys(TEMPLATES) as Template[];

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The command, without a terminal. */
async function run(...argv: readonly string[]) {
  const program = builtProgram('packages/create-rostack/dist/cli/cli.js');
  const ran = promisify(execFile)(process.execPath, [program, ...argv]);
  return ran.catch((error: unknown) => error as { code: number; stdout: string; stderr: string });
}

describe.for(templates)('%s', (template) => {
  test('is written with the name of its folder and the versions that are tested here', async () => {
    await using folder = await temporaryFolder();
    const { files } = await createProject({ folder: join(folder.path, 'My Data'), template });
    const made = join(folder.path, 'My Data');
    expect(files).toEqual(expect.arrayContaining(['.gitignore', 'README.md', 'package.json']));
    for (const file of files) expect(await readFile(join(made, file), 'utf8'), file).not.toMatch(/\{\{|^$/);

    const { name, dependencies } = await readManifest(made);
    expect(name).toBe('my-data');
    const { catalog } = parse(await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')) as {
      readonly catalog: Readonly<Record<string, string>>;
    };
    for (const [needed, range] of Object.entries(dependencies)) {
      const own = needed.startsWith('rostack-') ? await readOwn(needed) : undefined;
      expect(range, needed).toBe(own === undefined ? catalog[needed] : `^${own}`);
    }
  });
});

async function readOwn(name: string): Promise<string | undefined> {
  const folder = name === 'rostack-gateway' ? 'apps' : 'packages';
  return (await readManifest(join(root, folder, name))).version;
}

test('a folder that is not empty stays as it is; an empty repository is taken', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, '.git'));
  const template = 'hono-sqlite';
  await createProject({ folder: folder.path, template });
  await using used = await temporaryFolder();
  await writeFile(join(used.path, 'mine.txt'), '');
  const refused = await run(used.path, '--template', template);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  expect(await readdir(used.path)).toEqual(['mine.txt']);
  await using hidden = await temporaryFolder();
  await writeFile(join(hidden.path, '.env'), 'MINE=1');
  await expect(createProject({ folder: hidden.path, template })).rejects.toMatchObject({
    code: 'folder_not_empty',
  });
  expect(await readFile(join(hidden.path, '.env'), 'utf8')).toBe('MINE=1');
});

test('each project has a secret of its own, and a name that npm takes', async () => {
  await using folder = await temporaryFolder();
  const made = await Promise.all(
    ['._My Data', '데이터'].map(async (name) => {
      const { folder: path } = await createProject({
        folder: join(folder.path, name),
        template: 'hono-sqlite',
      });
      const [, secret] = /^ROSTACK_SECRET=(.+)$/m.exec(await readFile(join(path, '.env'), 'utf8')) ?? [];
      return { secret, ...(await readManifest(path)) };
    }),
  );
  expect(made.map(({ name }) => name)).toEqual(['my-data', 'my-data']);
  for (const { secret } of made) expect(Buffer.from(secret ?? '', 'base64url')).toHaveLength(32);
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(2);
});

test('the command says what it made and what comes next, and what it needs without a terminal', async () => {
  await using folder = await temporaryFolder();
  const { stdout } = await run(join(folder.path, 'data'), '--template', 'gateway-postgres');
  expect(stdout).toMatch(/cd .*data\n {2}npm install\n[\s\S]*npm start\n$/);
  expect(await run('data')).toMatchObject({ code: 2, stderr: expect.stringContaining('--template') });
  expect(await run('data', '--template', 'x')).toMatchObject({ code: 2 });
  const two = await run(join(folder.path, 'a'), join(folder.path, 'b'), '--template', 'gateway-postgres');
  expect(two).toMatchObject({ code: 2, stderr: 'create-rostack: pass one folder\n' });
  expect(await readdir(folder.path)).toEqual(['data']);
});

describePython('at a terminal', () => {
  /** Answers each question when it has been asked. */
  const ANSWERING = `
import os, pty, sys
answers = sys.argv[1].encode().split(b'|')
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b''
asked = 0
while True:
    try:
        shown += os.read(terminal, 4096)
    except OSError:
        break
    if shown.count(b'): ') > asked and answers:
        asked += 1
        os.write(terminal, answers.pop(0))
sys.stdout.buffer.write(shown)
sys.exit(os.WEXITSTATUS(os.waitpid(child, 0)[1]))`;

  async function answer(folder: string, ...answers: readonly string[]) {
    const program = builtProgram('packages/create-rostack/dist/cli/cli.js');
    const asked = promisify(execFile)(
      'python3',
      ['-c', ANSWERING, answers.join('|'), process.execPath, program],
      { cwd: folder, timeout: 60_000 },
    );
    return asked.catch((error: unknown) => error as { code: number; stdout: string });
  }

  test('a template is chosen by its number, and asked for again until there is one', async () => {
    await using folder = await temporaryFolder();
    const { stdout } = await answer(folder.path, 'garden\n', '7\n', '2\n');
    expect(stdout).toContain('Made .gitignore, README.md, package.json, table.sql');
    expect(await readdir(folder.path)).toEqual(['garden']);
  });

  test('no answer takes what stands in brackets', async () => {
    await using folder = await temporaryFolder();
    const { stdout } = await answer(folder.path, '\n', '\n');
    expect(stdout).toContain('cd my-data');
    expect(await readdir(join(folder.path, 'my-data'))).toContain('src');
  });

  test.for([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ] as const)('%s makes nothing and says nothing', async ([, key]) => {
    await using folder = await temporaryFolder();
    const { stdout, code } = (await answer(folder.path, 'garden\n', key)) as { stdout: string; code: number };
    expect(code).toBe(130);
    expect(stdout.trimEnd()).toMatch(/Template \(1\): \S*$/);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

test('the server of hono-sqlite takes a note and lists it, and refuses an empty one', async () => {
  await using folder = await temporaryFolder();
  const port = String(await freePort());
  const child = spawn(process.execPath, ['templates/hono-sqlite/src/main.ts'], {
    cwd: resolve(import.meta.dirname, '..'),
    env: { ...process.env, PORT: port, FILE: join(folder.path, 'data.db'), ROSTACK_SECRET: 'x'.repeat(43) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const token = /#token=([^&]+)/.exec(line)?.[1] ?? '';
    const url = `http://localhost:${port}`;
    const made = await fetch(`${url}/notes`, { method: 'POST', body: 'Buy kimchi' });
    const note: unknown = await made.json();
    expect(note).toMatchObject({ text: 'Buy kimchi' });
    const refused = await fetch(`${url}/notes`, { method: 'POST', body: '' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('text')]);
    const list = await fetch(`${url}/api/notes`, { headers: { authorization: `Rostack-Token ${token}` } });
    expect(await list.json()).toMatchObject({ items: [note] });
    expect(await (await fetch(`${url}/`)).text()).toContain('<!doctype html>');
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
