import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runExplorer } from './support/explorer-process.ts';
import { defineObservatory } from './support/observatory.ts';
import { refusal, serving, startServer } from './support/refusal.ts';
import { type RunningSite, startSite } from './support/start-site.ts';

let site: RunningSite;

beforeAll(async () => {
  site = await startSite();
});

afterAll(() => site[Symbol.asyncDispose]());

describe('what cannot be shown is refused with the reason', () => {
  test('there is no such host', async () => {
    const { code, stderr } = await refusal('https://nobody.invalid');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^rostack-explorer: https:\/\/nobody\.invalid\/\S+ cannot be reached: .+\n$/);
  });

  test('its certificate is not trusted', async () => {
    await using explorer = runExplorer([site.baseUrl], { NODE_EXTRA_CA_CERTS: '' });
    expect(await explorer.exited()).toBe(1);
    expect(explorer.stderr).toContain('start again with NODE_EXTRA_CA_CERTS=FILE in front');
  });

  test.for([
    ['another document', { hello: 'world' }, 'is not the discovery document of a rostack implementation'],
    ['null', null, 'is not the discovery document of a rostack implementation'],
    ['another version', { protocol: { name: 'rostack', version: 'rostack_v2' } }, 'version "rostack_v2"'],
    ['a page', '<!doctype html>', 'answers with something that is not JSON'],
    [
      'a document with faults',
      { protocol: { name: 'rostack', version: 'rostack_v1' }, errors: {}, '\u001b[31m': 1 },
      'breaks the protocol:\n  /implementation: is required',
    ],
  ])('%s', async ([, value, reason]) => {
    await using server = await startServer(serving(value));
    const { code, stderr } = await refusal(server.url);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  test('another status, and a redirect', async () => {
    await using missing = await startServer((_, response) => response.writeHead(404).end());
    expect((await refusal(missing.url)).stderr).toContain('/.well-known/rostack answers 404');
    await using moved = await startServer((_, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example/x?secret=1' }).end(),
    );
    expect((await refusal(moved.url)).stderr).toContain(
      'leads elsewhere: open https://elsewhere.example/x\n',
    );
  });

  test('a schema that is missing', async () => {
    await using server = await startServer((request, response) => {
      if (request.url !== '/.well-known/rostack') response.writeHead(404).end();
      else {
        const baseUrl = `https://${request.headers.host}`;
        const { discovery } = defineObservatory({ baseUrl, documentationUrl: baseUrl });
        serving(discovery)(request, response);
      }
    });
    expect((await refusal(server.url)).stderr).toMatch(
      /a schema cannot be read: \S+\.schema\.json answers 404/,
    );
  });

  test.for([
    [[], 'pass one URL'],
    [['https://a.example', 'https://b.example'], 'pass one URL'],
    [['https://a.example', '--port', '70000'], '--port must be a number from 0 to 65535'],
    [['https://a.example', '--prot', '1'], "Unknown option '--prot'"],
  ] as const)('usage: %j', async ([args, reason]) => {
    const { code, stderr } = await refusal(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('--help');
  });

  test.for([
    ['observatory', 'pass a URL'],
    ['ftp://a.example', 'pass a URL'],
    ['http://a.example', 'is not https'],
    ['https://me:secret@a.example', 'the URL contains credentials'],
  ] as const)('%s', async ([place, reason]) => {
    const { code, stderr } = await refusal(place);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('secret');
  });
});
