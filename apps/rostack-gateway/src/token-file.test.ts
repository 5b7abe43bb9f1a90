import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrincipalIdDeriver, createSharedTokenAuthenticator } from 'rostack-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TokenFile } from './token-file.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'token-file-'));
  path = join(folder, 'tokens.json');
});

afterEach(() => rm(folder, { recursive: true }));

const authenticatorOver = (store: TokenFile) =>
  createSharedTokenAuthenticator({
    store,
    principalId: createPrincipalIdDeriver(new Uint8Array(32)),
    cacheMs: 0,
  });

describe('TokenFile', () => {
  test('a token made by one process is accepted by another, with its grants', async () => {
    const token = await new TokenFile(path).create({ subject: 'sample', grants: ['stations:read'] });
    const result = await authenticatorOver(new TokenFile(path)).authenticate(token, 0);
    expect(result).toMatchObject({
      kind: 'authenticated',
      credential: { principal: { method: 'shared_token', permissions: new Set(['stations:read']) } },
    });
  });

  test('keeps a verifier, never the token, readable by the owner only', async () => {
    const token = await new TokenFile(path).create({ subject: 'sample', grants: [] });
    const [, , secret = ''] = token.split('_');
    expect(secret.length).toBeGreaterThan(40);
    expect(await readFile(path, 'utf8')).not.toContain(secret);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('sees a revocation that another process wrote', async () => {
    const file = new TokenFile(path);
    const token = await file.create({ subject: 'sample', grants: [] });
    const authenticator = authenticatorOver(file);
    expect(await authenticator.authenticate(token, 0)).toMatchObject({ kind: 'authenticated' });

    const content = JSON.parse(await readFile(path, 'utf8')) as { tokens: Record<string, unknown>[] };
    content.tokens = content.tokens.map((entry) => ({ ...entry, revoked_at: '2026-01-01T00:00:00Z' }));
    await writeFile(path, JSON.stringify(content));
    await utimes(path, 1, 1);
    expect(await authenticator.authenticate(token, 1)).toEqual({ kind: 'refused', reason: 'revoked' });
  });

  test('refuses an expired token', async () => {
    const file = new TokenFile(path);
    const token = await file.create({ subject: 'sample', grants: [], expiresAtMs: 1_000 });
    const authenticator = authenticatorOver(file);
    expect(await authenticator.authenticate(token, 999)).toMatchObject({ kind: 'authenticated' });
    expect(await authenticator.authenticate(token, 1_000)).toEqual({ kind: 'refused', reason: 'expired' });
  });

  test.for([
    ['not JSON', '{'],
    ['another format', '{"format":2,"tokens":[]}'],
    [
      'a verifier of the wrong size',
      '{"format":1,"tokens":[{"token_id":"a","verifier_sha256":"00","subject":"a","grants":[]}]}',
    ],
  ])('says what to do about a file that is %s, and leaves it alone', async ([, text = '']) => {
    await writeFile(path, text);
    const file = new TokenFile(path);
    await expect(file.create({ subject: 'sample', grants: [] })).rejects.toMatchObject({
      code: 'token_file_invalid',
      message: expect.stringContaining(path),
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
