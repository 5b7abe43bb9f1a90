import type { Head, RecordSource } from 'rostack-core';
import type { ResourceStatus } from 'rostack-server';
import type { Store } from 'rostack-store';
import { errorCodeOf } from './error-code-of.ts';
import { HeadWatch } from './head-watch.ts';
import type { Running } from './running.ts';
import { within } from './within.ts';

export interface ReadinessLimits {
  /** How far a log may be ahead of the gateway. */
  readonly maxTailLagMs: number;
  /** For the store to answer. */
  readonly storeTimeoutMs: number;
  /** After a write that failed: until the next one is tried. */
  readonly writeTrialIntervalMs: number;
}

export type CheckName = 'migrations' | 'store' | 'writes' | 'tail' | 'replay' | 'serving';
export type CheckResult = 'ok' | 'failed';

/** Whether a gateway should be sent requests, and why not. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<CheckName, CheckResult>>;
  /** Of the checks that failed, in words that hold nothing of an error but its code. */
  readonly reasons: Readonly<Partial<Record<CheckName, string>>>;
}

/** What of a gateway readiness is about. */
export type Observed = Pick<Running, 'resources' | 'store' | 'status' | 'isDraining'>;

/** A tail that is at the head looks again after this long at the latest; until then it is not behind. */
const LONGEST_PAUSE_MS = 1_000;

/** What came of asking a resource's log: its head, or why there is none. */
type Asked = { readonly resource: string } & ({ readonly head: Head } | { readonly reason: string });

/**
 * Looks at a gateway: tables up to date, store answering and taking writes, logs read and followed closely enough, replays moving,
 * serving and not draining. Looks at the same time are one.
 */
export class ReadinessCheck {
  readonly #limits: ReadinessLimits;
  readonly #heads: HeadWatch;
  #looking: Promise<Readiness> | undefined;
  #trial: Promise<void> | undefined;

  constructor(limits: ReadinessLimits) {
    this.#limits = limits;
    this.#heads = new HeadWatch();
  }

  look(observed: Observed): Promise<Readiness> {
    this.#looking ??= this.#look(observed).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look({ store, status, isDraining, resources }: Observed): Promise<Readiness> {
    const asked = store === undefined ? [] : await this.#ask(store, resources, status?.resources ?? []);
    const reasons: Record<CheckName, string | undefined> = {
      migrations: store === undefined ? 'The tables are not up to date yet.' : undefined,
      store: store === undefined ? 'The store is not open yet.' : firstReason(asked),
      writes: store && (await this.#writeReason(store)),
      tail: first(status?.resources, (resource) => this.#tailReason(resource, asked)),
      replay: first(status?.resources, (resource) => this.#replayReason(resource)),
      serving: isDraining
        ? 'The gateway is draining.'
        : status === undefined
          ? 'The gateway is starting.'
          : undefined,
    };
    return {
      isReady: Object.values(reasons).every((reason) => reason === undefined),
      checks: Object.fromEntries(
        Object.entries(reasons).map(([name, reason]) => [name, reason === undefined ? 'ok' : 'failed']),
      ) as Record<CheckName, CheckResult>,
      reasons: Object.fromEntries(
        Object.entries(reasons).flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])),
      ),
    };
  }

  #ask(
    store: Store,
    resources: readonly string[],
    followed: readonly ResourceStatus[],
  ): Promise<readonly Asked[]> {
    return Promise.all(
      resources.map(async (resource): Promise<Asked> => {
        const isFollowed = followed.some((each) => each.resource === resource && each.behindMs !== undefined);
        try {
          const head = await within(this.#limits.storeTimeoutMs, readLog(store.source(resource), isFollowed));
          if (head !== 'late') return { resource, head };
          return {
            resource,
            reason: `The log of ${resource} was not read within ${this.#limits.storeTimeoutMs} ms.`,
          };
        } catch (error) {
          return { resource, reason: `The log of ${resource} cannot be read${errorCodeOf(error)}.` };
        }
      }),
    );
  }

  /** Writes that failed count until one works again; it is tried when the latest failure is old enough. */
  async #writeReason(store: Store): Promise<string | undefined> {
    const { writeTrialIntervalMs, storeTimeoutMs } = this.#limits;
    const before = store.status.writeFault;
    if (before === undefined) return undefined;
    if (before.agoMs >= writeTrialIntervalMs) {
      // What it fails with is the store's next fault.
      this.#trial ??= store.tryWrite().then(
        () => {
          this.#trial = undefined;
        },
        () => {
          this.#trial = undefined;
        },
      );
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
      ? `A replay of ${resource} stands still, for ${seconds(replayStalledMs)}.`
      : undefined;
  }
}

/** The head of a log; where nobody reads it anyway, it is tried whether changes can be read as well. */
async function readLog(source: RecordSource, isFollowed: boolean): Promise<Head> {
  const head = await source.head();
  if (!isFollowed) await source.read(head.position, 1);
  return head;
}

function firstReason(asked: readonly Asked[]): string | undefined {
  return first(asked, (each) => ('reason' in each ? each.reason : undefined));
}

function first<T>(
  all: readonly T[] | undefined,
  reasonOf: (each: T) => string | undefined,
): string | undefined {
  let found: string | undefined;
  // Every one is looked at: some remember what they saw.
  for (const each of all ?? []) {
    const reason = reasonOf(each);
    found ??= reason;
  }
  return found;
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
