import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { freePort } from 'test-support/free-port';
import { launchBrowser } from 'test-support/launch-browser';
import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { openExplorer } from '../../../packages/rostack-explorer/test/support/explorer-page.ts';
import { parseTutorial, Terminal } from './support/tutorial.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const MAX_MS = 300_000;

/** What differs from one reader to the next: the database, the port, and that the clone is built already. */
function localised(markdown: string, database: string, port: number): string {
  return markdown
    .replaceAll('postgres://localhost/postgres', database)
    .replaceAll('8443', String(port))
    .replace(/^npm run build\n/m, '');
}

/** A database of its own, gone at the end. */
async function freshDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const name = `tutorial_${randomBytes(6).toString('hex')}`;
  await queryPostgres(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  // As in the tutorial, where the server lets the user of the system in.
  if (url.username === userInfo().username) url.username = '';
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => queryPostgres(`drop database ${name} with (force)`).then(() => {}),
  };
}

/** What the page shows of what happens while commands are entered; complaints of the browser fail. */
async function watched(port: number, token: string, enter: () => Promise<unknown>): Promise<string[]> {
  await using browser = await launchBrowser();
  await using tab = await openExplorer(browser, { url: `https://localhost:${port}/` });
  await tab.connect(token);
  await tab.page.getByText('Busan').waitFor();
  await tab.watch();
  await enter();
  const rows = tab.page.getByRole('region', { name: /^Live events/ }).locator('tbody tr');
  await rows.nth(2).waitFor();
  const texts = await rows.evaluateAll((all) => all.map((row) => row.textContent ?? ''));
  return [
    ...texts.map((text) => /create|update|delete/.exec(text)?.[0] ?? text).reverse(),
    ...tab.complaints,
  ];
}

describePostgres('the tutorial', () => {
  test(
    'leads, word for word, from an empty folder to a table that a browser follows',
    async () => {
      execFileSync('psql', ['--version']);
      await using folder = await temporaryFolder();
      await using scratch = await temporaryFolder();
      await using database = await freshDatabase();
      const port = await freePort();
      const markdown = await readFile(join(ROOT, 'docs/tutorial.md'), 'utf8');
      const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
      await using terminal = new Terminal(ROOT, scratch.path, {
        ...process.env,
        PATH: path,
        NODE_ENV: undefined,
        // As in a container; psql does without it.
        USER: undefined,
      });

      const printed = new Map<string, string>();
      let live: string[] = [];
      for (const step of parseTutorial(localised(markdown, database.url, port))) {
        if (step.kind === 'file') await writeFile(join(folder.path, step.name), step.text);
        else {
          const enter = () =>
            terminal.enter(
              step.text.startsWith('npm init') ? `cd '${folder.path}'\n${step.text}` : step.text,
            );
          const isWatched = step.heading.startsWith('6.');
          if (isWatched) live = await watched(port, (await terminal.enter('echo "$TOKEN"')).trim(), enter);
          else printed.set(step.heading, (printed.get(step.heading) ?? '') + (await enter()));
        }
      }

      const shown = (heading: RegExp) => [...printed].find(([name]) => heading.test(name))?.[1] ?? '';
      expect(shown(/^3\./)).toContain('ok');
      expect(shown(/^5\./)).toContain('"station":"Busan"');
      expect(shown(/^5\./)).not.toContain('Seoul');
      expect(shown(/^5\./)).not.toContain('lee');
      expect(shown(/^7\./)).toContain('DROP TABLE');
      expect(live).toEqual(['create', 'update', 'delete']);
    },
    MAX_MS,
  );
});
