import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { chromium } from 'playwright-core';

const { PORT = '3000', BROWSER_ENDPOINT } = process.env;

test('the table shows the three windiest stations, and changes with them', async () => {
  const program = spawn(process.execPath, ['src/main.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(program.stdout), 'line');
    const put = (id: string, wind: number) =>
      fetch(`http://localhost:${PORT}/stations`, { method: 'POST', body: JSON.stringify({ id, wind }) });
    for (const [index, id] of ['busan', 'daegu', 'jeju', 'seoul'].entries()) await put(id, index);
    await using browser = await (BROWSER_ENDPOINT === undefined
      ? chromium.launch({ channel: 'chrome' })
      : chromium.connect(BROWSER_ENDPOINT));
    const page = await browser.newPage();
    await page.goto(line.replace('Open ', ''));
    await page.getByText('3 m/s').waitFor();
    const rows = () => page.locator('tr').allInnerTexts();
    assert.deepEqual(await rows(), ['seoul\t3 m/s', 'jeju\t2 m/s', 'daegu\t1 m/s']);
    await put('busan', 30);
    await page.getByText('30 m/s').waitFor();
    assert.deepEqual(await rows(), ['busan\t30 m/s', 'seoul\t3 m/s', 'jeju\t2 m/s']);
  } finally {
    program.kill();
  }
});
