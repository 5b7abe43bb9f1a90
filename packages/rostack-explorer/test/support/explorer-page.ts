import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { RunningSite } from './start-site.ts';

/** A tab with the explorer open, and all that the browser complained about. */
export interface ExplorerPage extends AsyncDisposable {
  readonly page: Page;
  /** Violations of the policy, uncaught errors and messages of level error. */
  readonly complaints: readonly string[];
  /** Connects with a token and waits for the first table. */
  readonly connect: (token: string) => Promise<void>;
  readonly choose: (resource: string) => Promise<void>;
  readonly watch: () => Promise<void>;
}

/** Opens the explorer's page in a browser. */
export async function openExplorer(
  browser: Browser,
  { url }: Pick<RunningSite, 'url'>,
  options: BrowserContextOptions = {},
): Promise<ExplorerPage> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(text));
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (e) => reportViolation(e.violatedDirective + ' ' + e.blockedURI))`,
  );
  // The page's own WebSockets cannot be reached from outside: the newest one is kept for tests that cut it.
  await page.addInitScript(`window.WebSocket = class extends WebSocket {
    constructor(...args) { super(...args); window.lastSocket = this; }
  }`);
  await page.goto(url);
  return {
    page,
    complaints,
    async connect(token) {
      await page.getByRole('textbox', { name: 'Token' }).fill(token);
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByRole('tab', { name: 'Records' }).waitFor();
    },
    async choose(resource) {
      await page.getByRole('link', { name: resource, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: resource, exact: true }).waitFor();
    },
    async watch() {
      await page.getByRole('tab', { name: 'Live events' }).click();
      await page.locator('.state.live').waitFor();
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}
