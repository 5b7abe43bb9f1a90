import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path and arguments of a real Chromium: the system's, else the one inside the npm package. */
export async function chromiumExecutable(
  folder: string,
): Promise<{ readonly path: string; readonly args: string[] }> {
  const system = process.env['CHROMIUM_PATH'] ?? SYSTEM_BROWSERS.find((path) => existsSync(path));
  if (system !== undefined) return { path: system, args: ['--no-sandbox'] };
  // The package unpacks to the same temporary folder in every version: each run gets a folder of its own.
  process.env['TMPDIR'] = folder;
  const { default: packaged } = await import('@sparticuz/chromium');
  // With --single-process a crashed page takes the browser with it.
  const args = packaged.args.filter((arg) => arg !== '--single-process' && !arg.startsWith('--headless'));
  return { path: await packaged.executablePath(), args };
}

/** Time for a hook that launches a browser: the package unpacks 180 MB first. */
export const BROWSER_START_MS = 180_000;

/** A Chromium of its own for one test file. */
export async function launchBrowser(extraArgs: readonly string[] = []): Promise<Browser & AsyncDisposable> {
  const before = process.env['TMPDIR'];
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const { path, args } = await chromiumExecutable(folder);
  const browser = await chromium.launch({
    executablePath: path,
    args: [...args, ...extraArgs],
    headless: true,
  });
  return Object.assign(browser, {
    async [Symbol.asyncDispose]() {
      await browser.close();
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await rm(folder, { recursive: true, force: true });
    },
  });
}
