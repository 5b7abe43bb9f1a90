import { expect, vi } from 'vitest';
import {
  attachTable,
  type Mover,
  type MoverOptions,
  type ResourceDefinition,
  type Store,
  type StoreAlarm,
  startMover,
  type TableSource,
} from '../../src/index.ts';
import { readChain } from './chain.ts';
import { postgres, type TestDatabase } from './databases.ts';
import { type AppTable, appTable, observations } from './observations.ts';

/** A mover that tests need not wait for. */
export const QUICK = { pollIntervalMs: 50, takeoverIntervalMs: 50 };

export interface Attached extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly app: AppTable;
  readonly store: Store;
  readonly mover: Mover;
  readonly alarms: StoreAlarm[];
}

/** An application's table, attached and followed; `prepare` runs before. */
export async function attached(
  definition: ResourceDefinition = observations,
  source: Partial<TableSource> = {},
  prepare: (app: AppTable) => Promise<unknown> = () => Promise.resolve(),
  options: MoverOptions = QUICK,
): Promise<Attached> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(postgres());
  const app = stack.use(await appTable(database));
  await prepare(app);
  const alarms: StoreAlarm[] = [];
  const onAlarm = (alarm: StoreAlarm) => alarms.push(alarm);
  const store = stack.use(await database.open({ resources: [definition], onAlarm }));
  const whole = { ...app.source, ...source };
  await attachTable(store, definition.name, whole);
  const mover = stack.use(startMover(store, { [definition.name]: whole }, options));
  await following(mover);
  return { database, app, store, mover, alarms, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Resolves when the table has been copied. */
export async function following(mover: Mover): Promise<void> {
  await vi.waitFor(() => {
    expect(mover.status).toMatchObject([{ state: 'following' }]);
  });
}

export async function recordsOf(
  store: Store,
  resource = 'observations',
): Promise<readonly (readonly [string, unknown])[]> {
  const source = store.source(resource);
  const { position: at } = await source.head();
  const records = await readChain(source, { at, sort: [], limit: 500 });
  return records.map(({ id, body }) => [id, JSON.parse(body) as unknown]);
}

/** Resolves when the records are what the table says. */
export async function equal({ app, store }: Pick<Attached, 'app' | 'store'>): Promise<void> {
  await vi.waitFor(async () => {
    expect(await recordsOf(store)).toEqual(await app.expected());
  });
}
