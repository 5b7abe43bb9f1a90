import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { chromium } from 'playwright-core';

const { PORT = '3000', BROWSER_ENDPOINT } = process.env;

test('a reload goes on where the page was, without reading the snapshot again', async () => {
  const program = spawn(process.execPath, ['src/main.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(program.stdout), 'line');
    const url = line.replace('Open ', '');
    const put = (id: string, celsius: number) =>
      fetch(`http://localhost:${PORT}/stations`, { method: 'POST', body: JSON.stringify({ id, celsius }) });
    await put('seoul', 4);
    await using browser = await (BROWSER_ENDPOINT === undefined
      ? chromium.launch({ channel: 'chrome' })
      : chromium.connect(BROWSER_ENDPOINT));
    const page = await browser.newPage();
    let asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(url);
    await page.getByText('seoul: 4 °C').waitFor();
    await put('jeju', 11);
    await page.getByText('jeju: 11 °C').waitFor();
    assert(asked.includes('/api/stations'));

    await page.goto('about:blank');
    await put('seoul', 5);
    asked = [];
    await page.goto(url);
    await page.getByText('seoul: 5 °C').waitFor();
    await page.getByText('jeju: 11 °C').waitFor();
    assert(asked.includes('/.well-known/rostack'));
    assert(!asked.includes('/api/stations'), 'the snapshot was read again');
  } finally {
    program.kill();
  }
});
