import { connect } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { isLive, take, takeUntil } from './support/collect.ts';
import { TestGateway } from './support/test-gateway.ts';

const credential = (gateway: TestGateway) =>
  ({ method: 'shared_token', token: gateway.token().token }) as const;

describe('records whose ids are integers', () => {
  test('are got by the integer or by its text', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('readings', { id: 42, value: 1 });
    await using client = await connect(gateway.url, credential(gateway));
    for (const id of [42, '42']) {
      expect(await client.get('readings', id)).toMatchObject({ kind: 'found', record: { id: 42, value: 1 } });
    }
    expect(gateway.requests.filter((path) => path.endsWith('/readings/42'))).toHaveLength(2);
    for (const id of ['042', '42.0', -42]) {
      expect(await client.get('readings', id)).toEqual({ kind: 'absent' });
    }
    await expect(client.get('readings', 2 ** 53)).rejects.toMatchObject({ code: 'invalid_options' });
  });

  test.each([undefined, (record: object) => (record as { id: number }).id])(
    'are followed by their texts, across a restart: recordId %#',
    async (recordId) => {
      await using folder = await temporaryFolder();
      await using gateway = await TestGateway.start();
      await gateway.put('readings', { id: 9, value: 1 }, { id: 10, value: 1 });
      await using client = await connect(gateway.url, credential(gateway));
      const options = recordId === undefined ? {} : { recordId };
      {
        await using store = new SqliteStateStore(folder.path + '/state.db');
        await using follow = client.follow('readings', { ...options, store });
        await takeUntil(follow, isLive);
        expect([...follow.records]).toEqual([
          ['10', { id: 10, value: 1 }],
          ['9', { id: 9, value: 1 }],
        ]);
        await gateway.put('readings', { id: 42, value: 1 }, { id: 9, value: 2 });
        await gateway.remove('readings', '10');
        expect(await take(follow, 3)).toMatchObject([
          { kind: 'created', id: '42', record: { id: 42, value: 1 } },
          { kind: 'updated', id: '9', record: { id: 9, value: 2 }, previous: { id: 9, value: 1 } },
          { kind: 'deleted', id: '10', previous: { id: 10, value: 1 } },
        ]);
        const waiting = follow.next();
        await gateway.put('readings', { id: 42, value: 3 });
        expect(await waiting).toMatchObject({
          value: { kind: 'updated', id: '42', record: { id: 42, value: 3 } },
        });
      }
      await using store = new SqliteStateStore(folder.path + '/state.db');
      await using follow = client.follow('readings', { ...options, store });
      const [restored] = await take(follow, 1);
      expect(restored).toMatchObject({ kind: 'snapshot', reason: 'restored' });
      expect([...follow.records.keys()].toSorted()).toEqual(['42', '9']);
      await takeUntil(follow, ({ kind }) => kind === 'live');
      expect(follow.records.get('42')).toEqual({ id: 42, value: 3 });
    },
  );
});
