import { anInteger, anObject, optional, optionsOf } from 'rostack-core';
import { StoreReadOnlyError } from '../../errors/index.ts';
import { checkOption } from '../../store/options/check-option.ts';
import { MAX_DELAY_MS } from '../../store/options/max-delay.ts';
import type { Store } from '../../store/store.ts';
import { LeaderLeases, MAX_LEASE_MS } from '../attachment/leader-lease.ts';
import { attachDriverOf } from '../install/attach-driver-of.ts';
import { storePartsFor, storePartsOf } from '../source/store-parts.ts';
import { resolveSource, type TableSource } from '../source/table-source.ts';
import { AttachmentRunner } from './attachment-runner.ts';
import { InboxPoller } from './inbox-poller.ts';
import type { MoverStatus, TableRunner } from './mover-status.ts';
import { StandbyPoller } from './standby-poller.ts';

/** How often a mover checks for work, and when another process takes over. All times are whole milliseconds. */
export interface MoverOptions {
  /**
   * How often an idle leader checks the inbox; right after changes it checks sooner, and once a second while it sleeps because writers can
   * wake it; a change written while an older transaction is open may wait for that check. At least 1.
   * @default 250
   */
  readonly pollIntervalMs?: number | undefined;
  /**
   * How often a process that does not lead tries to, and a stopped one checks again. At least 1.
   * @default 1000
   */
  readonly takeoverIntervalMs?: number | undefined;
  /**
   * How long a process that died or hangs still counts as the leader: 100 to 30,000. The lease is renewed after a third of this time.
   * @default 5000
   */
  readonly leaseMs?: number | undefined;
}

const moverOptions = optionsOf<MoverOptions>({
  pollIntervalMs: optional(anInteger(1, MAX_DELAY_MS)),
  takeoverIntervalMs: optional(anInteger(1, MAX_DELAY_MS)),
  leaseMs: optional(anInteger(100, MAX_LEASE_MS)),
});

/** Keeps resources equal to their tables, for those resources for which this process leads. Close it before the store. */
export class Mover implements AsyncDisposable {
  readonly #runners: readonly TableRunner[];
  readonly #closing = new AbortController();
  readonly #running: Promise<unknown>;

  /** Use `startMover`. */
  constructor(runners: readonly TableRunner[], poller: { close(): Promise<void> }) {
    this.#runners = runners;
    this.#running = this.#run(poller);
  }

  async #run(poller: { close(): Promise<void> }): Promise<void> {
    try {
      await Promise.all(this.#runners.map((runner) => runner.run(this.#closing.signal)));
    } finally {
      await poller.close();
    }
  }

  /** One per resource, as this process sees it. */
  get status(): readonly MoverStatus[] {
    return this.#runners.map(({ status }) => status);
  }

  /** Waits for the running transactions; then another process may lead. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Starts moving the changes of attached tables into the log. Any number of processes may do so; for each resource one of them leads, and if
 * it ends or hangs another one continues within seconds. It uses one of the store's connections at a time for each resource.
 * @param sources the tables that were attached with `attachTable`, by resource
 * @throws StoreOptionsError `store_options_invalid` if the store was not opened with a resource
 * @throws AttachRefusedError `attach_refused` if a resource cannot be fed by its table
 * @throws StoreReadOnlyError `store_read_only` for a replica
 */
export function startMover(
  store: Store,
  sources: Readonly<Record<string, TableSource>>,
  options: MoverOptions = {},
): Mover {
  checkOption(anObject, sources, 'sources');
  checkOption(moverOptions, options);
  if (storePartsOf(store).options.role === 'replica') throw new StoreReadOnlyError();
  const { pollIntervalMs = 250, takeoverIntervalMs = 1_000, leaseMs = 5_000 } = options;
  const times = { pollIntervalMs, takeoverIntervalMs, leaseMs };
  const { database, schema } = storePartsOf(store);
  const { reader } = attachDriverOf(database);
  const shared = {
    poller: new InboxPoller(reader, pollIntervalMs, (onNote) => database.watchInboxes(onNote)),
    standbys: new StandbyPoller(
      (attachments) => reader.pollStandbys(database, attachments),
      takeoverIntervalMs,
    ),
    leases: new LeaderLeases(database, schema, leaseMs),
  };
  const runners = Object.entries(sources).map(([name, source]) => {
    const { target, ...parts } = storePartsFor(store, name);
    return new AttachmentRunner(
      parts,
      target,
      resolveSource(source, target.resource, database.dialect.schema.ofPlainNames),
      times,
      shared,
    );
  });
  return new Mover(runners, shared.poller);
}
