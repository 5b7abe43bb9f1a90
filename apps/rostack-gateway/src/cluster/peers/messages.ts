import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Change, Head } from 'rostack-core';
import type { ConnectionSlot, Lease, LeaseRequest, ReturnedLease } from 'rostack-server';
import type { Dials } from './dials.ts';
import type { Readiness } from './readiness.ts';

/** Changes whenever a message does, since processes of two releases may meet during a reload. */
export const MESSAGE_VERSION = 3;

/** The listeners of a gateway. */
export type ListenerName = 'data' | 'admin';

/** What a place is held for: a connection of one of the listeners, or a WebSocket. */
export type ConnectionKind = ListenerName | 'websocket';

/** What the lead has seen in the log of one resource. */
export interface LogUpdate {
  readonly resource: string;
  /** The log after the changes. */
  readonly head: Head;
  /** Ascending without gaps, up to the head; empty if nothing is new, or if the log does not continue from what was sent before. */
  readonly changes: readonly Change[];
  /** Tag of the position before the first change. */
  readonly tagBefore: string;
}

/** Metrics of one process, in the form that prom-client produces and aggregates. */
export type MetricsReport = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Which worker a process is. */
export interface WorkerSlot {
  readonly number: number;
  readonly isLead: boolean;
  /** Port of the data listener. */
  readonly port: number;
  /** Port of the admin listener; undefined if this worker has none. */
  readonly adminPort: number | undefined;
}

/** What the supervisor collects from each worker. */
export interface Collected {
  /** Confirms that its report was sent. */
  readonly metrics: true;
  readonly readiness: Readiness;
  readonly dials: Dials;
  /** Confirms that it answers at all. */
  readonly life: true;
}

/** A worker's part of what is collected. */
export interface Reported<T> {
  readonly worker: number;
  /** Whether it serves; if not, it was not asked. */
  readonly isServing: boolean;
  /** Its answer; undefined if it did not answer in time. */
  readonly told: T | undefined;
}

/** What a worker asks the supervisor. */
export type Question =
  | { readonly kind: 'lease'; readonly requests: readonly LeaseRequest[] }
  | { readonly kind: 'take'; readonly claims: readonly ConnectionSlot[] }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'readiness'; readonly timeoutMs: number }
  | { readonly kind: 'dials'; readonly timeoutMs: number }
  | { readonly kind: 'life'; readonly timeoutMs: number };

/** The answer to each kind of question. */
export interface Answers {
  readonly lease: readonly Lease[];
  readonly take: number | undefined;
  readonly metrics: string;
  readonly readiness: readonly Reported<Readiness>[];
  readonly dials: readonly Reported<Dials>[];
  readonly life: readonly Reported<true>[];
}

/** From a worker to its supervisor. */
export type WorkerMessage =
  | { readonly kind: 'hello'; readonly version: number }
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'points'; readonly leases: readonly ReturnedLease[] }
  | { readonly kind: 'places'; readonly place: ConnectionKind; readonly claims: readonly ConnectionSlot[] }
  | { readonly kind: 'collected'; readonly id: number; readonly collected: Collected[keyof Collected] }
  | { readonly kind: 'report'; readonly report: MetricsReport }
  | { readonly kind: 'news'; readonly news: LogUpdate }
  | { readonly kind: 'use'; readonly tokenId: string }
  /** The worker has received a connection. */
  | { readonly kind: 'taken'; readonly id: number };

/** From a supervisor to one of its workers. */
export type SupervisorMessage =
  | ({ readonly kind: 'begin' } & WorkerSlot)
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[keyof Answers] }
  /** Sent with a socket, unless that was closed on the way. */
  | {
      readonly kind: 'connection';
      readonly id: number;
      readonly listener: ListenerName;
      readonly claims: readonly ConnectionSlot[];
    }
  | { readonly kind: 'collect'; readonly id: number; readonly what: keyof Collected }
  | { readonly kind: 'news'; readonly news: LogUpdate }
  /** The lead has ended, so no more of its news will come. */
  | { readonly kind: 'silence' }
  /** A token was used in another process. */
  | { readonly kind: 'use'; readonly tokenId: string }
  /** Drain and end. */
  | { readonly kind: 'leave'; readonly isReplaced: boolean };

const WORKER_KINDS: ReadonlySet<unknown> = new Set<WorkerMessage['kind']>([
  'hello',
  'serving',
  'question',
  'points',
  'places',
  'collected',
  'report',
  'news',
  'use',
  'taken',
]);

const SUPERVISOR_KINDS: ReadonlySet<unknown> = new Set<SupervisorMessage['kind']>([
  'begin',
  'answer',
  'connection',
  'collect',
  'news',
  'silence',
  'use',
  'leave',
]);

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;

/** Checks the kind, since other modules of a process may use its channel too. */
export const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  WORKER_KINDS.has(kindOf(message));

/** Checks the kind, since other modules of a process may use its channel too. */
export const isSupervisorMessage = (message: unknown): message is SupervisorMessage =>
  SUPERVISOR_KINDS.has(kindOf(message));
