import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentLinks } from './support/document-links.ts';
import { runUntil } from './support/run-until.ts';

const root = resolve(import.meta.dirname, '..');
const site = join(root, 'docs/site/dist');
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly repository: { readonly url: string };
};
const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');

/** On a machine that is busy with all other tests too. */
const BUILD_MS = 600_000;

let pages: ReadonlyMap<string, string> = new Map();

/** What is in the attribute of all elements of a page. */
function attributes(html: string, element: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`<(?:${element})\\b[^>]*?\\s${name}="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
}

/** The file that an address of the site is answered with. */
function fileOf(address: string): string {
  const path = decodeURIComponent(address).replace(/^\//, '');
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

beforeAll(async () => {
  const build = spawn(process.execPath, ['--max-semi-space-size=64', 'scripts/docs.ts', 'build'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BUILD_MS,
  });
  const [out, err, [code]] = await Promise.all([text(build.stdout), text(build.stderr), once(build, 'exit')]);
  if (code !== 0) throw new Error(`the site was not built:\n${out}${err}`);
  const files = globSync('**/*.html', { cwd: site });
  pages = new Map(files.map((file) => [file, readFileSync(join(site, file), 'utf8')]));
}, BUILD_MS + 10_000);

test('a package has its README, its reference, and what it exports', () => {
  expect(pages.size).toBeGreaterThan(150);
  const has = (page: string, part: string): boolean => pages.get(page)?.includes(part) === true;
  expect(has('packages/rostack-core.html', 'The smallest implementation')).toBe(true);
  expect(has('reference/rostack-core/filter.html', 'id="compilefilter"')).toBe(true);
  expect(has('reference/rostack-client/react.html', 'id="userecord"')).toBe(true);
});

describe('links', () => {
  test('lead to pages, and to places on them, that exist', () => {
    const places = new Map(
      [...pages].map(([file, html]) => [file, new Set(attributes(html, '[a-z]\\w*', 'id'))]),
    );
    const dead: string[] = [];
    for (const [file, html] of pages) {
      const base = new URL(file, 'http://site.test/');
      for (const link of new Set([
        ...attributes(html, 'a|link', 'href'),
        ...attributes(html, 'img|script', 'src'),
      ])) {
        const url = new URL(link, base);
        if (url.origin !== base.origin) continue;
        const target = fileOf(url.pathname);
        const anchor = decodeURIComponent(url.hash.slice(1));
        const isDead = !existsSync(join(site, target)) || (anchor !== '' && !places.get(target)?.has(anchor));
        if (isDead && file !== '404.html') dead.push(`${file}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('to files of the repository lead to what is there', () => {
    const prefix = new RegExp(`^${repositoryUrl}/(?:blob|tree)/main/([^#]+)`);
    const files = new Set([...pages.values()].flatMap((html) => attributes(html, 'a', 'href')));
    const named = [...files].flatMap((link) => prefix.exec(link)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(300);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('of the Markdown beside a page lead to what is there', () => {
    const dead: string[] = [];
    for (const html of pages.keys()) {
      if (html === '404.html') continue;
      const file = html.replace(/html$/, 'md');
      for (const link of documentLinks(readFileSync(join(site, file), 'utf8'))) {
        const [target = ''] = link.split('#');
        if (target === '' || /^[a-z]+:/.test(target)) continue;
        if (!existsSync(join(site, posix.join(dirname(file), target)))) dead.push(`${file}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });
});

test('llms.txt names the Markdown of every page', () => {
  const named = new Set(documentLinks(readFileSync(join(site, 'llms.txt'), 'utf8')));
  const all = [...pages.keys()].filter((file) => !/^(ko\/)?index\.html$|^404/.test(file));
  expect(all.map((file) => file.replace(/html$/, 'md')).filter((file) => !named.has(file))).toEqual([]);
  expect(readFileSync(join(site, 'llms-full.txt'), 'utf8')).toContain('# Operating a gateway');
});

/** Answers a page's requests from the built site; what it asks of other origins is noted and not answered. */
async function openSite(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    const file = join(site, fileOf(url.pathname));
    if (url.origin === 'http://site.test' && existsSync(file)) return route.fulfill({ path: file });
    faults.push(url.href);
    return route.abort();
  });
  return faults;
}

// They are taken on request, and looked at.
if (process.env['ROSTACK_SCREENSHOTS'] === '1')
  test('screenshots of the front page and of a task', { timeout: BROWSER_START_MS }, async () => {
    await using browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1180, height: 760 } });
    const faults = await openSite(page);
    for (const [name, address] of [
      ['site-home', '/'],
      ['site-task', '/tasks/follow.html'],
    ] as const) {
      await page.goto(`http://site.test${address}`);
      await page.screenshot({ path: join(root, 'docs/images', `${name}.png`), animations: 'disabled' });
    }
    expect(faults).toEqual([]);
  });

test('the front page shows the table of a gateway that runs on this computer, and changes with it', {
  timeout: BROWSER_START_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const database = join(folder, 'stations.db');
  const write = (sql: string) => {
    const opened = new DatabaseSync(database);
    opened.exec(sql);
    opened.close();
  };
  write(
    "create table stations (id integer primary key, name text); insert into stations values (1, 'Seoul')",
  );
  const argv = ['serve', `sqlite:${database}`, '--columns', 'suggested', '--port', '0'];
  const program = join(root, 'apps/rostack-gateway/dist/cli/main.js');
  const command = [process.execPath, program, ...argv] as const;
  const serving = await runUntil(/#token=\S+/, command, { cwd: folder, env: process.env });
  try {
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    const faults = await openSite(page);
    await page.route('http://localhost:*/**', (route) => route.continue());
    await page.goto('http://site.test/');
    const [link = ''] = /http:\S+#token=\S+/.exec(serving.output()) ?? [];
    await page.getByRole('textbox', { name: 'The link that serve printed' }).fill(link);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('cell', { name: 'Seoul' }).waitFor();
    write("update stations set name = 'Busan'");
    await page.getByRole('cell', { name: 'Busan' }).waitFor();
    expect(faults).toEqual([]);
  } finally {
    await serving.stop();
    rmSync(folder, { recursive: true });
  }
});

test('a reader searches, and changes the language, without another origin', {
  timeout: BROWSER_START_MS,
}, async () => {
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const faults = await openSite(page);

  await page.goto('http://site.test/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('compileFilter');
  await page.getByRole('option').first().locator('.excerpt').waitFor();
  await page.getByRole('option').first().click();
  await page.waitForURL(/\/reference\/rostack-core\/filter\.html#compilefilter/);

  await page.goto('http://site.test/cafeteria/using.html');
  await page.getByRole('link', { name: '한국어로 보기' }).click();
  await page.getByRole('heading', { level: 1, name: '구내식당 서비스 이용하기' }).waitFor();
  expect(await page.getAttribute('html', 'lang')).toBe('ko');
  expect(faults).toEqual([]);
});
