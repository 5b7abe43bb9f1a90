import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describeWhere } from 'test-support/describe-where';
import { freePort } from 'test-support/free-port';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockOf, ROOT, TaskServer } from './support/task-server.ts';
import { parseTutorial, Terminal } from './support/tutorial.ts';

const run = promisify(execFile);
const systemd = await describeWhere('systemd-analyze', () => run('systemd-analyze', ['--version']));

const CLIENT = join(ROOT, 'packages/rostack-client');

let server: TaskServer;
beforeAll(async () => {
  server = await TaskServer.start();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/** A page's code as one script; what it imports is found where the client's own tests find it. */
async function bundled(opening: string, loader: 'ts' | 'tsx'): Promise<string> {
  const contents = (await blockOf('follow.md', opening)).replaceAll('8080', server.port);
  const { outputFiles } = await build({
    stdin: { contents, loader, resolveDir: CLIENT },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    conditions: ['workspace-source'],
    nodePaths: [join(ROOT, 'node_modules')],
  });
  return `<!doctype html><title>Stations</title><body></body><script type="module">${outputFiles[0]?.text}</script>`;
}

const PAGES: Readonly<Record<string, () => Promise<string>>> = {
  React: () => bundled('tsx follow.tsx', 'tsx'),
  Vue: () => bundled('ts follow-vue.ts', 'ts'),
  'a page without a build': async () =>
    (await blockOf('follow.md', 'html follow.html')).replaceAll('8080', server.port),
};

describe.for(Object.keys(PAGES))('the page about following, in %s', (name) => {
  test('shows the stations and changes with them', { timeout: BROWSER_START_MS * 2 }, async () => {
    const html = (await PAGES[name]?.()) ?? '';
    const script = await readFile(join(CLIENT, 'dist/browser.js'));
    const web = createServer((request, response) => {
      const isScript = request.url === '/browser.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(isScript ? script : html);
    }).listen(0, 'localhost');
    await once(web, 'listening');
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(`http://localhost:${(web.address() as AddressInfo).port}/#${server.token}`);
    await page.getByText('Seoul: ').waitFor();
    const celsius = 10 + Object.keys(PAGES).indexOf(name);
    server.write(`update stations set celsius = ${celsius} where name = 'Seoul'`);
    await page.getByText(`Seoul: ${celsius} °C`).waitFor();
    expect(faults).toEqual([]);
    web.closeAllConnections();
    web.close();
  });
});

describe('the page about partners', () => {
  test('leads, word for word, from serve to a service with a token, a backup and a status', {
    timeout: 240_000,
  }, async () => {
    await server.stop();
    const ports = [String(await freePort()), String(await freePort())] as const;
    const page = (await readFile(join(ROOT, 'docs/tasks/go-public.md'), 'utf8'))
      .replaceAll('8080', ports[0])
      .replaceAll('8444', ports[1])
      // Installed in no folder here.
      .replaceAll('node_modules/.bin/rostack-gateway', 'rostack-gateway')
      .replaceAll('npx rostack-gateway', 'rostack-gateway');
    await using programs = await temporaryFolder();
    const main = join(ROOT, 'apps/rostack-gateway/dist/cli/main.js');
    const program = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
    await writeFile(join(programs.path, 'rostack-gateway'), program, { mode: 0o755 });
    const path = [programs.path, dirname(process.execPath), process.env['PATH']].join(delimiter);
    await using terminal = new Terminal(server.folder, programs.path, { ...process.env, PATH: path });

    const configuration = join(server.folder, 'rostack-gateway.yaml');
    const printed = new Map<string, string>();
    for (const step of parseTutorial(page)) {
      if (step.kind === 'commands') {
        printed.set(step.heading, (printed.get(step.heading) ?? '') + (await terminal.enter(step.text)));
      } else if (step.name === 'listeners') {
        const written = await readFile(configuration, 'utf8');
        await writeFile(configuration, written.replace(/^listeners:\n(?: .*\n)+/m, ''));
        await appendFile(configuration, step.text);
      } else await writeFile(join(server.folder, step.name), step.text);
    }
    const shown = (number: number) =>
      [...printed].find(([heading]) => heading.startsWith(`${number}.`))?.[1] ?? '';
    expect(shown(1)).toContain('ok');
    expect(shown(3)).toContain('acme');
    expect(shown(4)).toContain('"name":"Seoul"');
    expect(shown(7)).toContain('# HELP');
    expect(shown(8)).toContain('stations');
    expect((await readFile(join(server.folder, 'stations-backup.db'))).length).toBeGreaterThan(0);
    await terminal.enter('kill %1 && wait');
  });
});

systemd.describe('the unit of the page about partners', () => {
  test('is one that systemd takes', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'rostack-gateway.service');
    const unit = await blockOf('go-public.md', 'ini rostack-gateway.service');
    // A program that is there, of a user who is.
    const here = unit.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`).replace(/^User=.*\n/m, '');
    await writeFile(file, here);
    const { stderr } = await run('systemd-analyze', ['verify', file]);
    expect(stderr.split('\n').filter((line) => line.includes('rostack-gateway'))).toEqual([]);
  });
});
