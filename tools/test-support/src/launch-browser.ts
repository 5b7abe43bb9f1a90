import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The machine's fonts, and before them one with Hangul, so that lines break alike on all machines. */
const FONTS = `<?xml version="1.0"?>
<fontconfig>
  <alias binding="strong"><family>sans-serif</family><prefer><family>NanumGothic</family></prefer></alias>
  <alias binding="strong"><family>system-ui</family><prefer><family>NanumGothic</family></prefer></alias>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${fileURLToPath(new URL('400Regular', import.meta.resolve('@expo-google-fonts/nanum-gothic')))}</dir>
  <dir>${fileURLToPath(new URL('700Bold', import.meta.resolve('@expo-google-fonts/nanum-gothic')))}</dir>
</fontconfig>
`;

/**
 * What the package is told for other machines: it draws with a GPU that a library imitates, which took most of a test's
 * processor time; and `--single-process`, with which a crashed page takes the browser with it.
 */
const NOT_FOR_TESTS =
  /^--(?:headless|single-process|in-process-gpu|ignore-gpu-blocklist|enable-unsafe-swiftshader|use-gl|use-angle)\b/;

/** Time for a hook that launches a browser: the package unpacks 200 MB when it is used for the first time. */
export const BROWSER_START_MS = 180_000;

/** Path and arguments of a real Chromium: the system's, else the one inside the npm package. */
export async function chromiumExecutable(): Promise<{ readonly path: string; readonly args: string[] }> {
  const system = env.CHROMIUM_PATH ?? SYSTEM_BROWSERS.find((path) => existsSync(path));
  if (system !== undefined) return { path: system, args: ['--no-sandbox'] };
  const { default: packaged } = await import('@sparticuz/chromium');
  const args = packaged.args.filter((arg) => !NOT_FOR_TESTS.test(arg));
  return { path: await unpackOnce(() => packaged.executablePath()), args: [...args, '--disable-gpu'] };
}

/** A Chromium of its own for one test file. It has a Korean font, also where the machine has none. */
export async function launchBrowser(extraArgs: readonly string[] = []): Promise<Browser & AsyncDisposable> {
  const { path, args } = await chromiumExecutable();
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const fonts = join(folder, 'fonts.conf');
  await writeFile(fonts, FONTS);
  const launch = () =>
    chromium.launch({
      executablePath: path,
      args: [...args, ...extraArgs],
      env: { ...env, FONTCONFIG_FILE: fonts },
      headless: true,
    });
  const browser = await withTemporaryFolder(folder, launch);
  return Object.assign(browser, {
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** Unpacks into the folder of the package, so that each version has its own; all test files use what the first one unpacked. */
async function unpackOnce(unpack: () => Promise<string>): Promise<string> {
  const kept = fileURLToPath(new URL('../unpacked', import.meta.resolve('@sparticuz/chromium')));
  if (!existsSync(kept)) {
    const folder = await mkdtemp(`${kept}-`);
    await withTemporaryFolder(folder, unpack);
    // Another test file may have been quicker.
    await rename(folder, kept).catch(() => rm(folder, { recursive: true, force: true }));
  }
  return join(kept, 'chromium');
}

async function withTemporaryFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = env.TMPDIR;
  env.TMPDIR = folder;
  try {
    return await work();
  } finally {
    if (before === undefined) delete env.TMPDIR;
    else env.TMPDIR = before;
  }
}
