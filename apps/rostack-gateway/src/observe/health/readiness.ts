import { setTimeout as delay } from 'node:timers/promises';
import type { Head, Position, RecordSource } from 'rostack-core';
import type { GatewayStatus, ResourceStatus } from 'rostack-server';
import type { MoverStatus, Store } from 'rostack-store';
import type { CheckName, CheckResult, Readiness } from '../../cluster/peers/readiness.ts';
import type { QuarantineWatch } from './quarantine-watch.ts';
import { tableCondition } from './table-condition.ts';

/** A gateway as operators see it. At first it has nothing, then a store, then connections. */
export interface Running {
  readonly resources: readonly string[];
  /** Undefined until its tables are up to date. */
  readonly store: Store | undefined;
  /** Undefined until it serves. */
  readonly status: GatewayStatus | undefined;
  /** The tables that resources come from. */
  readonly tables: readonly MoverStatus[];
  /** The rows of these tables that the resources refuse. */
  readonly quarantine: QuarantineWatch;
  readonly isDraining: boolean;
  /** When the certificate of the data listener expires, in milliseconds since 1970; undefined without TLS. */
  readonly certificateExpiresAtMs: number | undefined;
  /** Whether it counts rates on its own although it should share them. */
  readonly countsAlone: boolean;
}

export interface ReadinessLimits {
  /** How far a log may be ahead of the gateway. */
  readonly maxTailLagMs: number;
  /** How long the store may take to answer. */
  readonly storeTimeoutMs: number;
  /** How long after a failed write the next one is tried. */
  readonly writeTrialIntervalMs: number;
}

type Observed = Pick<Running, 'resources' | 'store' | 'status' | 'tables' | 'quarantine' | 'isDraining'>;

/** A reader at the head of its log checks again after this time at the latest; until then it is not behind. */
const LONGEST_PAUSE_MS = 1_000;

/** The head of a resource's log, or why it could not be read. */
type Asked = { readonly resource: string } & ({ readonly head: Head } | { readonly reason: string });

/**
 * Checks a gateway: tables are up to date, the store answers and takes writes, logs can be read and are followed closely enough, replays
 * move, it serves and is not draining. Overlapping calls share one check.
 */
export class ReadinessCheck {
  readonly #limits: ReadinessLimits;
  readonly #heads = new HeadWatch();
  #looking: Promise<Readiness> | undefined;
  #trial: Promise<void> | undefined;

  constructor(limits: ReadinessLimits) {
    this.#limits = limits;
  }

  look(observed: Observed): Promise<Readiness> {
    this.#looking ??= this.#look(observed).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look({ store, status, isDraining, resources, tables, quarantine }: Observed): Promise<Readiness> {
    const followed = status?.resources ?? [];
    const asked = store === undefined ? [] : await this.#ask(store, resources, followed);
    const starting = status === undefined ? 'The gateway is starting.' : undefined;
    const reasons: Record<CheckName, string | undefined> = {
      migrations: store === undefined ? 'The tables are not up to date yet.' : undefined,
      store:
        store === undefined
          ? 'The store is not open yet.'
          : first(asked, (each) => ('reason' in each ? each.reason : undefined)),
      writes: store && (await this.#writeReason(store)),
      tail: first(followed, (resource) => this.#tailReason(resource, asked)),
      replay: first(followed, (resource) => this.#replayReason(resource)),
      serving: isDraining ? 'The gateway is draining.' : starting,
    };
    const quarantined = await this.#quarantined(quarantine);
    const failed = Object.entries(reasons).filter(([, reason]) => reason !== undefined);
    return {
      isReady: failed.length === 0,
      checks: Object.fromEntries(
        Object.entries(reasons).map(([name, reason]) => [name, reason === undefined ? 'ok' : 'failed']),
      ) as Record<CheckName, CheckResult>,
      reasons: Object.fromEntries(failed),
      ...(quarantined.size > 0 && { quarantinedRows: Object.fromEntries(quarantined) }),
      ...(tables.length > 0 && {
        tables: Object.fromEntries(tables.map((table) => [table.resource, tableCondition(table)])),
      }),
    };
  }

  /** Empty if it cannot be read: the store check reports that. */
  async #quarantined(quarantine: QuarantineWatch): Promise<ReadonlyMap<string, number>> {
    const counts = quarantine.counts().catch(() => 'failed' as const);
    const known = await within(this.#limits.storeTimeoutMs, counts);
    return typeof known === 'string' ? new Map() : known;
  }

  #ask(
    store: Store,
    resources: readonly string[],
    followed: readonly ResourceStatus[],
  ): Promise<readonly Asked[]> {
    const { storeTimeoutMs } = this.#limits;
    return Promise.all(
      resources.map(async (resource): Promise<Asked> => {
        const isFollowed = followed.some((each) => each.resource === resource && each.behindMs !== undefined);
        try {
          const head = await within(storeTimeoutMs, readLog(store.source(resource), isFollowed));
          if (head !== 'late') return { resource, head };
          return { resource, reason: `The log of ${resource} was not read within ${storeTimeoutMs} ms.` };
        } catch (error) {
          return { resource, reason: `The log of ${resource} cannot be read${errorCodeOf(error)}.` };
        }
      }),
    );
  }

  /** Writes count as failing until one works again; one is tried when the latest failure is old enough. */
  async #writeReason(store: Store): Promise<string | undefined> {
    const { writeTrialIntervalMs, storeTimeoutMs } = this.#limits;
    const before = store.status.writeFault;
    if (before === undefined) return undefined;
    if (before.agoMs >= writeTrialIntervalMs) {
      // If it fails, the store keeps the error as its latest fault.
      this.#trial ??= store
        .tryWrite()
        .catch(() => {})
        .finally(() => {
          this.#trial = undefined;
        });
    }
    if (this.#trial !== undefined) await within(storeTimeoutMs, this.#trial);
    const fault = store.status.writeFault;
    return fault && `Writes fail, for ${seconds(fault.forMs)}${errorCodeOf(fault.error)}.`;
  }

  #tailReason(status: ResourceStatus, asked: readonly Asked[]): string | undefined {
    const { resource, behindMs, fault, position } = status;
    if (fault !== undefined) {
      return `The log of ${resource} cannot be read, for ${seconds(fault.forMs)}${errorCodeOf(fault.error)}.`;
    }
    if (behindMs === undefined) return undefined;
    const answer = asked.find((each) => each.resource === resource);
    const head = answer !== undefined && 'head' in answer ? answer.head : undefined;
    const ownLagMs = head?.position === position ? 0 : behindMs - LONGEST_PAUSE_MS;
    const lagMs = Math.max(ownLagMs, this.#heads.lagMs(resource, position, head?.position));
    return lagMs > this.#limits.maxTailLagMs
      ? `The gateway is behind the log of ${resource}, for ${seconds(lagMs)}.`
      : undefined;
  }

  #replayReason({ resource, replayStalledMs = 0 }: ResourceStatus): string | undefined {
    return replayStalledMs > this.#limits.maxTailLagMs
      ? `A replay of ${resource} has stalled, for ${seconds(replayStalledMs)}.`
      : undefined;
  }
}

/** Measures how long a gateway has been behind its logs by comparing heads, independently of what the gateway says itself. */
class HeadWatch {
  readonly #ahead = new Map<string, { readonly head: Position; readonly sinceMs: number }>();

  /**
   * How long, in ms, the gateway has been behind a position that was seen at the head.
   * @param head undefined if it cannot be read now
   */
  lagMs(resource: string, position: Position, head: Position | undefined): number {
    const nowMs = performance.now();
    const known = this.#ahead.get(resource);
    // A head that went back belongs to another history, so the earlier one no longer counts.
    const isReached = known !== undefined && (position >= known.head || (head ?? known.head) < known.head);
    if (isReached) this.#ahead.delete(resource);
    if (known !== undefined && !isReached) return nowMs - known.sinceMs;
    if (head !== undefined && head > position) this.#ahead.set(resource, { head, sinceMs: nowMs });
    return 0;
  }
}

/** Reads the head of a log. If no follower makes the gateway read changes, it tries that too. */
async function readLog(source: RecordSource, isFollowed: boolean): Promise<Head> {
  const head = await source.head();
  if (!isFollowed) await source.read(head.position, 1);
  return head;
}

/** Calls `reasonOf` for every item, since some calls have to remember what they saw. */
function first<T>(all: readonly T[], reasonOf: (each: T) => string | undefined): string | undefined {
  return all.map(reasonOf).find((reason) => reason !== undefined);
}

/** The result of some work, or `late` if it takes longer; the work itself continues. */
const within = <T>(timeoutMs: number, work: Promise<T>): Promise<T | 'late'> =>
  Promise.race([work, delay(timeoutMs, 'late' as const, { ref: false })]);

/** Codes of databases and of the system, such as SQLITE_FULL, 53100 or ENOSPC. */
const OUTER_CODE = /^(?:[A-Z][A-Z0-9_]{3,40}|[0-9A-Z]{5})$/;
const MAX_CAUSES = 5;

/** The code of the innermost cause, as ` (CODE)`; empty if there is none. Never the message, which may name hosts. */
function errorCodeOf(error: unknown): string {
  let found = '';
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    if ('code' in cause && typeof cause.code === 'string' && OUTER_CODE.test(cause.code))
      found = ` (${cause.code})`;
    cause = cause.cause;
  }
  return found;
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
