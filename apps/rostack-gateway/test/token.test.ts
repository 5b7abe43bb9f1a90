import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bearing } from './support/get.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const TOKEN = /^rostack_([0-9A-Za-z]+)_([0-9A-Za-z]{40,})_([0-9A-Za-z]{6})\n$/;

let folder: TemporaryFolder;
let config: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  config = await writeSampleConfig(folder.path);
});

afterEach(() => folder[Symbol.asyncDispose]());

const token = (...argv: string[]) => runCommand(['token', ...argv, '--config', config]);
const create = (...argv: string[]) =>
  token('create', '--principal', 'team', '--grant', 'stations:read', ...argv);
const list = async () => JSON.parse((await token('list', '--json')).stdout) as Record<string, unknown>[];

describe('token create', () => {
  test('prints the token alone on standard output, and keeps only its verifier', async () => {
    const { exitCode, stdout, stderr } = await create();
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(TOKEN) });
    const [, id = '', secret = ''] = TOKEN.exec(stdout) ?? [];
    expect(stderr).toContain(`token ${id} for team: stations:read; does not expire`);
    expect(stderr).not.toContain(secret);
    for (const file of ['store.db', 'store.db-wal']) {
      const path = join(folder.path, 'data', file);
      const content = await Promise.resolve()
        .then(() => readFileSync(path, 'latin1'))
        .catch(() => '');
      expect(content).not.toContain(secret);
    }
  });

  test('takes several grants, and a time after which the token counts no more', async () => {
    const before = Date.now();
    await token(
      'create',
      '-p',
      'team',
      '-g',
      'stations:read',
      'stations:follow',
      '-g',
      'stations:read',
      '-e',
      '90d',
    );
    const [entry] = await list();
    expect(entry).toMatchObject({
      grants: ['stations:read', 'stations:follow'],
      state: 'active',
      last_used_at: null,
    });
    const lifeMs = Date.parse(String(entry?.['expires_at'])) - before;
    expect(Math.abs(lifeMs - 90 * 86_400_000)).toBeLessThan(60_000);
  });

  test('makes one that may do nothing only when that is said', async () => {
    const { stdout, stderr } = await token('create', '--principal', 'visitor', '--no-grants');
    expect(stdout).toMatch(TOKEN);
    expect(stderr).toContain('for visitor: no grants; does not expire');
    expect(await list()).toMatchObject([{ principal: 'visitor', grants: [] }]);
    await using gateway = await startGateway(folder.path);
    const { status, body } = await gateway.get('/api/stations', { headers: bearing(stdout.trim()) });
    expect([status, body]).toMatchObject([403, { type: expect.stringMatching(/permission-denied$/) }]);
  });

  test('keeps claims as JSON or text, and hands them on to a successor', async () => {
    const { stdout } = await create(
      '--claim',
      'tenant=north',
      'level=3',
      '--claim',
      'tenants=["a","b"]',
      'code="42"',
    );
    const claims = { tenant: 'north', level: 3, tenants: ['a', 'b'], code: '42' };
    expect(await list()).toMatchObject([{ claims }]);
    expect((await token('list')).stdout).toContain(JSON.stringify(claims));
    await token('rotate', TOKEN.exec(stdout)?.[1] ?? '');
    expect((await list()).map((entry) => entry['claims'])).toEqual([claims, claims]);
  });

  test.each([
    ['a claim without a value', ['-g', 'stations:read', '--claim', 'tenant'], 'write them as tenant=north'],
    ['a claim without a name', ['-g', 'stations:read', '--claim', '=a'], 'write them as tenant=north'],
    ['a claim given twice', ['-g', 'stations:read', '--claim', 'a=1', 'a=2'], 'a is repeated'],
    [
      'a number that is not kept',
      ['-g', 'stations:read', '--claim', 'a=9007199254740993'],
      'in double quotes',
    ],
    ['a permission that is not declared', ['-g', 'stations:reed'], 'did you mean stations:read?'],
    ['a duration without a unit', ['-g', 'stations:read', '-e', '90'], 'write a duration such as 90d'],
    ['no duration at all', ['-g', 'stations:read', '-e', '0d'], 'write a duration such as 90d'],
    ['an empty principal', ['-g', 'stations:read', '-p', ''], '1 to 200 characters'],
    ['nothing of grants', [], 'either --grant'],
    ['grants and none', ['-g', 'stations:read', '--no-grants'], 'either --grant'],
    ['an unknown option', ['-g', 'stations:read', '--expire', '9d'], '(Did you mean --expires?)'],
  ])('%s: exit code 2, and nothing is made', async (_what, argv, says) => {
    const { exitCode, stdout, stderr } = await token('create', '--principal', 'team', ...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(await list()).toEqual([]);
  });
});

describe('token list', () => {
  test('shows people a table without anything secret', async () => {
    const { stdout } = await create();
    const [, id = '', secret = ''] = TOKEN.exec(stdout) ?? [];
    const listed = await token('list');
    expect(listed.stdout).toMatch(/^ID +PRINCIPAL +STATE +CREATED +EXPIRES +LAST USED +GRANTS +CLAIMS\n/);
    expect(listed.stdout).toMatch(
      new RegExp(`${id} +team +active +\\S+ \\S+ +never +never +stations:read\n$`),
    );
    expect(listed.stdout).not.toContain(secret);
  });
});

describe('token revoke and token rotate', () => {
  test('an id that is unknown, or revoked before', async () => {
    expect(await token('revoke', 'nobody')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no token'),
    });
    const [, id = ''] = TOKEN.exec((await create()).stdout) ?? [];
    expect(await token('revoke', id)).toMatchObject({ exitCode: 0, stderr: `token ${id} is revoked\n` });
    expect(await token('revoke', id)).toMatchObject({
      exitCode: 0,
      stderr: `token ${id} was revoked before\n`,
    });
    expect(await token('rotate', id)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is revoked'),
    });
  });

  test('the whole token, pasted, does as well and is not repeated', async () => {
    const { stdout } = await create();
    const { stderr, exitCode } = await token('revoke', stdout.trim());
    const [, id = '', secret = ''] = TOKEN.exec(stdout) ?? [];
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `token ${id} is revoked\n` });
    expect(stderr).not.toContain(secret);
  });

  test('a successor has the same principal, grants and length of life', async () => {
    const [, old = ''] = TOKEN.exec((await create('--expires', '10d')).stdout) ?? [];
    const rotated = await token('rotate', old, '--overlap', '1h');
    expect(rotated.stdout).toMatch(TOKEN);
    const [before, after] = await list();
    expect(after).toMatchObject({ principal: 'team', grants: ['stations:read'], state: 'active' });
    expect(Date.parse(String(after?.['expires_at'])) - Date.now()).toBeGreaterThan(9.9 * 86_400_000);
    expect(before).toMatchObject({ id: old, state: 'active' });
    expect(Date.parse(String(before?.['expires_at'])) - Date.now()).toBeLessThan(3_600_001);
  });
});
