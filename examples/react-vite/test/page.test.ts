import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const { PORT = '3000', BROWSER_ENDPOINT } = process.env;
const gateway = join(
  dirname(createRequire(import.meta.url).resolve('rostack-gateway/package.json')),
  'dist/cli/main.js',
);

test("the page shows the records of somebody else's server", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'react-vite-'));
  writeFileSync(join(folder, 'stations.csv'), 'id,name,celsius\n1,Seoul,4.5\n2,Busan,9\n');
  const serve = ['serve', 'stations.csv', '--columns', 'suggested', '--port', PORT];
  const program = spawn(process.execPath, [gateway, ...serve], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await using site = await createServer({ server: { port: 0 } }).then((vite) => ({
    vite,
    [Symbol.asyncDispose]: () => vite.close(),
  }));
  try {
    let printed = '';
    for await (const text of program.stdout.setEncoding('utf8')) {
      printed += text;
      if (printed.includes('#token=')) break;
    }
    const token = /#token=([^&]+)/.exec(printed)?.[1] ?? '';
    await site.vite.listen();
    const [page = ''] = site.vite.resolvedUrls?.local ?? [];
    await using browser = await (BROWSER_ENDPOINT === undefined
      ? chromium.launch({ channel: 'chrome' })
      : chromium.connect(BROWSER_ENDPOINT));
    const tab = await browser.newPage();
    await tab.goto(`${page}#url=http://localhost:${PORT}&resource=stations&token=${token}`);
    await tab.getByText('"Seoul"').waitFor();
    assert.equal(await tab.locator('tbody tr').count(), 2);
    assert.equal(tab.url(), page);
  } finally {
    const ended = once(program, 'exit');
    program.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
});
