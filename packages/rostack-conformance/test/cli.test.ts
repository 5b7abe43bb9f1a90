import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runConformanceCommand } from '../src/cli/run-command.ts';
import type { Report } from '../src/index.ts';
import type { Mutant } from './reference/mutant.ts';
import { ReferenceServer } from './reference/reference-server.ts';

class Text extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function run(argv: readonly string[], environment: Record<string, string> = {}) {
  const stdout = new Text();
  const stderr = new Text();
  const stop = new AbortController().signal;
  const exitCode = await runConformanceCommand(argv, {
    environment,
    stdin: Readable.from([]),
    stdout,
    stderr,
    stop,
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

async function check(reference: ReferenceServer, ...options: readonly string[]) {
  const { main, second, poor } = reference.credentials;
  const tokens = ['--token-env', 'A', '--token-env-b', 'B', '--poor-token-env', 'C'];
  return run(
    [
      reference.url,
      ...tokens,
      '--only',
      'speaks.queries',
      '--only',
      'speaks.discovery',
      '--report',
      folder,
      ...options,
    ],
    { A: main, B: second, C: poor },
  );
}

const reportIn = async (): Promise<Report> =>
  JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;

const SCHEMA = new URL('../schemas/report.schema.json', import.meta.url);

const SORT = 'err.http.type.invalid-sort';
const SECRET_MARKUP = '<script>alert("x")</script>';

/** Says something else where a sort is refused. */
const wrongSort: Mutant = {
  fails: [SORT, 'discovery.authoritative'],
  answer: async (request, answer) => {
    if (!new URL(request.url).searchParams.has('sort')) return answer(request);
    const type = 'https://spec.pmh.codes/problems/invalid-request';
    return Response.json(
      { type, title: 'Invalid request', status: 400, detail: SECRET_MARKUP },
      { status: 400, headers: { 'Content-Type': 'application/problem+json' } },
    );
  },
};

test('a target that keeps all gives 0, and five files', async () => {
  await using reference = await ReferenceServer.start();
  const { exitCode, stdout, stderr } = await check(reference);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('This will be sent:');
  expect(stdout).toContain('pass  speaks.queries');
  expect(stdout).toContain('Levels: speaks partly, reads none');
  expect(stdout).toContain('Not seen of speaks: auth.challenge.');
  expect((await readdir(folder)).sort()).toEqual([
    'badge.json',
    'junit.xml',
    'report.html',
    'report.json',
    'summary.yaml',
  ]);
  const report = await reportIn();
  expect(report).toMatchObject({ is_conformant: true, release: '2026-08-13', requests: expect.any(Number) });
  expect(report.counts).toMatchObject({ fail: 0, error: 0, warn: 0 });
  expect(JSON.parse(await readFile(join(folder, 'badge.json'), 'utf8'))).toMatchObject({
    schemaVersion: 1,
    message: expect.stringMatching(/^speaks partly, \d+ kept$/),
    color: 'yellow',
  });
});

describe('a target that breaks something', () => {
  test('gives 1, and reports that are valid, escaped and without credentials', async () => {
    await using reference = await ReferenceServer.start({ mutant: wrongSort });
    const { exitCode, stdout } = await check(reference);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`fail ${SORT} (must)`);
    const report = await reportIn();
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(await readFile(SCHEMA, 'utf8')) as object);
    expect(validate(report) ? [] : validate.errors).toEqual([]);
    const failed = report.requirements.filter(({ status }) => status === 'fail').map(({ id }) => id);
    expect(failed.sort()).toEqual([...wrongSort.fails].sort());
    expect(report.requirements.find(({ id }) => id === SORT)?.failures[0]).toMatchObject({
      check: 'speaks.queries',
      expected: expect.stringContaining('invalid-sort (400)'),
      got: expect.stringContaining('400, https://spec.pmh.codes/problems/invalid-request'),
      exchange: { method: 'GET', status: 400, body: expect.stringContaining('Invalid request') },
    });
    const junit = await readFile(join(folder, 'junit.xml'), 'utf8');
    expect(junit).toContain(`name="${SORT}"><failure`);
    expect(junit).toMatch(/<testsuites [^>]*failures="2" errors="0"/);
    const all = await Promise.all(
      ['report.json', 'report.html', 'junit.xml'].map((file) => readFile(join(folder, file), 'utf8')),
    );
    for (const secret of Object.values(reference.credentials)) expect(all.join('')).not.toContain(secret);
    expect(all[1]).toContain('&lt;script&gt;alert(');
    expect(all[1]).not.toContain(SECRET_MARKUP);
    expect(all[2]).not.toContain(SECRET_MARKUP);
  });

  test('has a summary that names it', async () => {
    await using reference = await ReferenceServer.start({ mutant: wrongSort });
    await check(reference);
    expect(parse(await readFile(join(folder, 'summary.yaml'), 'utf8'))).toMatchObject({
      release: '2026-08-13',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      levels: { speaks: 'broken', reads: 'none', follows: 'none', survives: 'none' },
      broken: { [SORT]: '', 'discovery.authoritative': '' },
      skipped: { 'not selected': expect.any(Number) },
    });
  });

  test('gives 0 where all that is broken is expected', async () => {
    await using reference = await ReferenceServer.start({ mutant: wrongSort });
    const file = join(folder, 'expected.yaml');
    await writeFile(file, `${SORT}: Comes later.\ndiscovery.authoritative: Comes later.\n`);
    const { exitCode, stdout } = await check(reference, '--expected-failures', file);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('expected: Comes later.');
    expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toContain('<skipped message="Comes later."/>');
  });
});

test('an expected failure that is kept is stale, and gives 1', async () => {
  await using reference = await ReferenceServer.start();
  const file = join(folder, 'expected.yaml');
  await writeFile(file, `${SORT}: Comes later.\n`);
  const { exitCode, stdout } = await check(reference, '--expected-failures', file);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`${SORT} was expected to be broken, and is kept`);
  expect((await reportIn()).stale_expected_failures).toEqual([SORT]);
});

test('without tokens, what needs one is skipped for that reason', async () => {
  await using reference = await ReferenceServer.start();
  const { exitCode, stdout } = await run([reference.url, '--only', 'speaks']);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining('skip  speaks.queries: no token'),
  });
});

test('--list prints the checks and sends nothing', async () => {
  const { exitCode, stdout } = await run(['--list', '--only', 'speaks.queries']);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining('speaks.queries (speaks'),
  });
  expect(stdout).toContain(`  ${SORT}\n`);
});

test.each([
  ['no URL', []],
  ['no URL of HTTP', ['data.example.com']],
  ['a token that is not there', ['http://localhost:1', '--token-env', 'NOBODY_HAS_THIS']],
  ['a name of no check', ['http://localhost:1', '--only', 'nothing.at.all']],
  ['a duration without a unit', ['http://localhost:1', '--observe', '120']],
  ['a release that is not known', ['http://localhost:1', '--requirements', '2026-01-01']],
  ['a file that is not there', ['http://localhost:1', '--ca', '/nowhere/at/all.pem']],
])('%s is wrong usage: 2', async (_, argv) => {
  const { exitCode, stderr } = await run(argv);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(/\S/) });
});

test('a target that nobody serves gives 1', async () => {
  await using reference = await ReferenceServer.start();
  const { url } = reference;
  await reference[Symbol.asyncDispose]();
  const { exitCode, stderr } = await run([url]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('got no answer') });
});
