import type { IDBPDatabase, IDBPObjectStore } from 'idb';
import type { Header, States } from './stored-states.ts';

/** The lead of one tab over a key. */
export interface TabLead {
  /** Key that the lead is of; states beside it are written under the same lead. */
  readonly key: string;
  /** Higher for each later lead. */
  readonly epoch: number;
}

/** Another tab leads by now: this one was suspended for so long that the other one took its place. */
export class LeadLostError extends Error {
  override readonly name = 'LeadLostError';
  readonly code = 'lead_lost';
  readonly retryable = false;
}

type StatesOf<Mode extends IDBTransactionMode> = IDBPObjectStore<
  States,
  ('records' | 'states')[],
  'states',
  Mode
>;

/** Kept as the generation of a state without records, so that the database has the layout of older releases. */
const leadKey = (key: string): string => `${key}~lead`;

const headerOf = (epoch: number): Header => ({
  scope: { implementationId: '', apiVersion: '', resource: '', filter: undefined },
  cursor: 'lead',
  eventId: undefined,
  generation: epoch,
  revision: 0,
});

/** Begins a lead. Epochs start at the time, so that they also rise when the data was cleared. */
export async function takeLead(database: IDBPDatabase<States>, key: string): Promise<TabLead> {
  const transaction = database.transaction('states', 'readwrite');
  const last = await transaction.store.get(leadKey(key));
  const epoch = Math.max(Date.now(), (last?.generation ?? 0) + 1);
  void transaction.store.put(headerOf(epoch), leadKey(key));
  await transaction.done;
  return { key, epoch };
}

/**
 * Makes sure, in the transaction that writes, that no other tab has taken the lead. A lead that was cleared is written again.
 * @throws LeadLostError `lead_lost`
 */
export async function checkLead(states: StatesOf<'readwrite'>, lead: TabLead | undefined): Promise<void> {
  if (lead === undefined) return;
  const { key, epoch } = lead;
  const current = (await states.get(leadKey(key)))?.generation ?? 0;
  if (current > epoch) throw new LeadLostError(`another tab leads ${key} now`);
  if (current < epoch) void states.put(headerOf(epoch), leadKey(key));
}
