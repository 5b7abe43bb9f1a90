import { memoryMenuStore } from 'menu-client';
import { expect, test } from 'vitest';
import { GuardedStore } from '../src/store/guarded-store.ts';
import { withLease } from '../src/store/hold-lease.ts';
import { settle, steppedClock } from './fake-operator.ts';

function holders() {
  const clock = steppedClock();
  const store = new GuardedStore(memoryMenuStore({ nowMs: () => clock.nowMs() }));
  const asked = (holder: string, work: () => Promise<string>) =>
    withLease({ store, clock, holder }, 'work', work);
  return { clock, asked };
}

test('a lease is held as long as its work goes on, however long that is, and free at its end', async () => {
  const { clock, asked } = holders();
  const work = Promise.withResolvers<string>();
  const first = asked('first', () => work.promise);
  for (let minutes = 0; minutes < 5; minutes += 1) {
    await clock.advance(60_000);
    expect(await asked('second', async () => 'too early')).toBeUndefined();
  }
  work.resolve('done');
  await settle();
  expect(await first).toEqual({ value: 'done' });
  expect(await asked('second', async () => 'now')).toEqual({ value: 'now' });
});

test('work that fails gives its lease back', async () => {
  const { asked } = holders();
  await expect(asked('first', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await asked('second', async () => 'now')).toEqual({ value: 'now' });
});
