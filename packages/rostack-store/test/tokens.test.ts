import { expect, test } from 'vitest';
import { TokenUnknownError } from '../src/index.ts';
import { describeBoth } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { stations } from './support/stations.ts';

const verifier = new Uint8Array(32).fill(7);
const token = (tokenId: string, expiresAtMs?: number) => ({
  tokenId,
  verifier,
  subject: '관측 team',
  grants: ['stations:read', 'stations:follow'],
  expiresAtMs,
});

describeBoth('tokens', (create) => {
  test('a token that one process adds is known to another, with all that was said of it', async () => {
    await using database = create();
    await using writer = await database.open({ resources: [stations], nowMs: () => 1_000 });
    await using reader = await database.open({ resources: [] });
    await writer.tokens.add(token('a', 90_000));
    expect(await reader.tokens.find('a')).toEqual({
      ...token('a', 90_000),
      claims: undefined,
      createdAtMs: 1_000,
      revokedAtMs: undefined,
      lastUsedAtMs: undefined,
    });
    expect(await reader.tokens.find('b')).toBeUndefined();
  });

  test('keeps what is said of the principal, and a successor may have other claims', async () => {
    await using database = create();
    await using store = await database.open({ resources: [] });
    const claims = { tenant: '관측', tenants: ['a', 'b'], org: { level: 3 } };
    await store.tokens.add({ ...token('a'), claims });
    expect((await store.tokens.find('a'))?.claims).toEqual(claims);
    await store.tokens.replace('a', { ...token('b'), claims: { tenant: 'b' } }, 0);
    expect((await store.tokens.list()).map((known) => known.claims)).toEqual([claims, { tenant: 'b' }]);
    const wrong = { ...token('c'), claims: [] as never };
    await expect(store.tokens.add(wrong)).rejects.toThrow('token.claims');
  });

  test('an id with U+0000 is none: nobody has it, and nobody gets it', async () => {
    await using database = create();
    await using store = await database.open({ resources: [] });
    expect(await store.tokens.find('a\u0000')).toBeUndefined();
    const refusal = { code: 'store_options_invalid', message: expect.stringContaining('U+0000') as string };
    await expect(store.tokens.add(token('a\u0000'))).rejects.toMatchObject(refusal);
    await expect(store.tokens.revoke('a\u0000')).rejects.toMatchObject(refusal);
    await expect(store.tokens.replace('a', token('\u0000'), 0)).rejects.toMatchObject(refusal);
    expect(await store.tokens.list()).toEqual([]);
  });

  test('lists tokens oldest first, revoked ones too', async () => {
    await using database = create();
    let nowMs = 1;
    await using store = await database.open({ resources: [], nowMs: () => nowMs });
    for (const id of ['c', 'a', 'b']) {
      await store.tokens.add(token(id));
      nowMs += 1;
    }
    await store.tokens.revoke('a');
    const listed = await store.tokens.list();
    expect(listed.map(({ tokenId, revokedAtMs }) => [tokenId, revokedAtMs])).toEqual([
      ['c', undefined],
      ['a', 4],
      ['b', undefined],
    ]);
  });

  test('revokes once; the time of the first revocation stands', async () => {
    await using database = create();
    let nowMs = 5;
    await using store = await database.open({ resources: [], nowMs: () => nowMs });
    await store.tokens.add(token('a'));
    expect(await store.tokens.revoke('a')).toBe(true);
    nowMs = 9;
    expect(await store.tokens.revoke('a')).toBe(false);
    expect(await store.tokens.find('a')).toMatchObject({ revokedAtMs: 5 });
    await expect(store.tokens.revoke('b')).rejects.toBeInstanceOf(TokenUnknownError);
  });

  test('a successor ends the old token at once, or after an overlap that never lengthens its life', async () => {
    await using database = create();
    await using store = await database.open({ resources: [], nowMs: () => 100 });
    await store.tokens.add(token('a'));
    await store.tokens.replace('a', token('b'), 0);
    await store.tokens.replace('b', token('c', 120), 50);
    await store.tokens.replace('c', token('d'), 50);
    expect(await store.tokens.find('a')).toMatchObject({ revokedAtMs: 100, expiresAtMs: undefined });
    expect(await store.tokens.find('b')).toMatchObject({ revokedAtMs: undefined, expiresAtMs: 150 });
    expect(await store.tokens.find('c')).toMatchObject({ expiresAtMs: 120 });
    await expect(store.tokens.replace('x', token('y'), 0)).rejects.toMatchObject({ code: 'token_unknown' });
    expect(await store.tokens.find('y')).toBeUndefined();
  });

  test('keeps the last use, at most once within the resolution', async () => {
    await using database = create();
    let nowMs = 100_000;
    await using store = await database.open({ resources: [], nowMs: () => nowMs });
    await store.tokens.add(token('a'));
    const uses: (number | undefined)[] = [];
    for (const step of [0, 59_999, 1]) {
      nowMs += step;
      await store.tokens.noteUse('a', 60_000);
      uses.push((await store.tokens.find('a'))?.lastUsedAtMs);
    }
    expect(uses).toEqual([100_000, 100_000, 160_000]);
  });

  test('a database of the first release gets the tables of later ones and keeps its epoch', async () => {
    await using database = create();
    const before = await database.open({ resources: [stations] });
    const { epoch } = before;
    await before.close();
    for (const table of ['token', 'note', 'attachment', 'quarantine', 'rate']) {
      await executeRaw(database, `drop table if exists ${table}`);
    }
    await executeRaw(database, 'update state set schema_version = 1');
    await using store = await database.open({ resources: [stations] });
    await store.tokens.add(token('a'));
    expect(store.epoch).toBe(epoch);
    expect(await store.tokens.list()).toHaveLength(1);
  });
});
