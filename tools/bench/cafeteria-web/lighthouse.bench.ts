/** Lighthouse on home, a day, its takeout and its week, phone profile, over the built service with sample data. Needs `pnpm build` first. */
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { freePort } from 'test-support/free-port';
import { chromiumExecutable } from 'test-support/launch-browser';
import { temporaryFolder } from 'test-support/temporary-folder';
import { report } from '../support/report.ts';
import { MAIN } from './support/built.ts';
import { run } from './support/program.ts';

const BARS: Readonly<Record<string, number>> = {
  performance: 0.95,
  accessibility: 1,
  'best-practices': 1,
  seo: 1,
  'agentic-browsing': 1,
};

await using folder = await temporaryFolder();
const { path, args } = await chromiumExecutable();
await using site = await run(
  [MAIN],
  { DATA_DIR: folder.path, CAFETERIA_PORT: '0', CAFETERIA_PREFETCH_SECONDS: '0', LOG_LEVEL: 'error' },
  /localhost:(\d+)/,
);
const origin = `http://localhost:${site.port}`;
const [found] = (await (await fetch(`${origin}/proxy/search?q=R5&limit=1`)).json()) as { path: string }[];
const port = await freePort();
const browser = await chromium.launch({
  executablePath: path,
  args: [...args, `--remote-debugging-port=${port}`],
});
// A weekday: the restaurant serves.
for (const [name, page] of [
  ['home', '/'],
  ['day', `${found?.path}/20261120`],
  ['takeout', `${found?.path}/20261120?view=takeout`],
  ['week', `${found?.path}/20261120/week`],
] as const) {
  // Photos are made and kept on the first visit, as any visitor but the first finds them.
  await fetch(origin + page);
  const result = await lighthouse(origin + page, {
    port,
    output: 'json',
    logLevel: 'error',
    formFactor: 'mobile',
  });
  for (const [id, { score, auditRefs }] of Object.entries(result?.lhr.categories ?? {})) {
    const failed = auditRefs
      .filter(({ weight }) => weight > 0)
      .map((reference) => result?.lhr.audits[reference.id])
      .filter((audit) => audit?.score !== null && audit?.score !== undefined && audit.score < 0.9);
    for (const audit of failed)
      console.log(`${name} ${id}: ${audit?.id} ${audit?.score} ${audit?.displayValue ?? ''}`);
    report(`cafeteria-web/lighthouse-${name}-${id}`, {
      ratio: score ?? 0,
      bar: BARS[id] ?? 0,
      want: 'at least',
    });
  }
}
await browser.close();
