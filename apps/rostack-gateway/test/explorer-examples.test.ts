import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ObservatoryProcess } from './support/spawn-observatory.ts';

const run = promisify(execFile);

let folder: TemporaryFolder;
let observatory: ObservatoryProcess;
/** What a reader of the page has to set first. */
let environment: Record<string, string>;
let pages: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  observatory = new ObservatoryProcess({ ROSTACK_PORT: '0', DATA_DIR: folder.path });
  const { baseUrl, token = '' } = await observatory.ready();
  const certificate = `${folder.path}/rostack/localhost.crt.pem`;
  environment = {
    PATH: process.env['PATH'] ?? '',
    ROSTACK_TOKEN: token,
    CURL_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const pageOf = async (resource: string) =>
    (
      await run('curl', ['--silent', '--show-error', `${baseUrl}/?resource=${resource}`], {
        env: environment,
      })
    ).stdout;
  pages = { stations: await pageOf('stations'), observations: await pageOf('observations') };
  // The feed has made nothing yet when the observatory says that it runs.
  await vi.waitUntil(
    async () => (await shell(example('observations', 'curl-list'))).includes('"provisional"'),
    { interval: 200 },
  );
});

afterAll(async () => {
  await observatory[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** The code of an example, as a reader copies it. */
function example(resource: string, kind: string): string {
  const example = new RegExp(`data-example="${kind}".*?<code>(.*?)</code>`, 's');
  const [, code = ''] = example.exec(pages[resource] ?? '') ?? [];
  return code.replaceAll(/&(\w+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

const shell = async (command: string, more: Record<string, string> = {}): Promise<string> =>
  (await run('sh', ['-c', command], { env: { ...environment, ...more } })).stdout;

interface ListAnswer {
  readonly items: readonly { readonly id: string }[];
}

describe.each(['stations', 'observations'])('%s', (resource) => {
  test('the curl commands list and get records', async () => {
    const list = JSON.parse(await shell(example(resource, 'curl-list'))) as ListAnswer;
    const [first] = list.items;
    expect(list.items.length).toBeLessThanOrEqual(3);
    expect(first).toMatchObject({ id: expect.any(String) });
    const one = JSON.parse(
      await shell(example(resource, 'curl-get'), { RECORD_ID: first?.id ?? '' }),
    ) as unknown;
    expect(one).toMatchObject({ id: first?.id });
  });

  test('the program lists, gets and follows', async () => {
    const child = spawn(process.execPath, ['--input-type=module'], {
      cwd: ObservatoryProcess.folder,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = once(child, 'exit');
    try {
      child.stdin.end(example(resource, 'client'));
      const live = resource === 'observations' ? /^created \S+$/m : /^live$/m;
      while (!live.test(said)) {
        await Promise.race([once(child.stdout, 'data'), ended]);
        if (child.exitCode !== null) throw new Error(`the example ended: ${said}`);
      }
      expect(said).toMatch(/^\d+ records$/m);
      expect(said).toMatch(/^"[^"]+" \{$/m);
      expect(said).not.toContain('undefined');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
