import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Change, Head } from 'rostack-core';
import type { ConnectionSlot, Lease, LeaseRequest, ReturnedLease } from 'rostack-server';
import type { Dials } from './dials.ts';
import type { Readiness } from './readiness.ts';
import type { Message } from './rpc.ts';

/** Changes whenever a message does, since processes of two releases may meet during a reload. */
export const MESSAGE_VERSION = 4;

/** The listeners of a gateway. */
export type ListenerName = 'data' | 'admin';

/** What a place counts: a connection of one of the listeners, or a WebSocket. */
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

/** The questions of a survey, which each worker answers for itself. */
export interface Surveyed {
  readonly readiness: Readiness;
  readonly dials: Dials;
  /** Whether it answers at all. */
  readonly life: true;
}

/** A worker's part of a survey. */
export interface Reported<T> {
  readonly worker: number;
  /** Whether it serves; only serving workers are asked. */
  readonly isServing: boolean;
  /** Its answer; undefined if it did not answer in time. */
  readonly told: T | undefined;
}

type Claims = { readonly claims: readonly ConnectionSlot[] };
type News = { readonly news: LogUpdate };
type Use = { readonly tokenId: string };

/** What a worker sends to its supervisor. */
export type ToSupervisor = {
  /** The first message, answered with the worker's place. The next release has to find `version` in it, too. */
  readonly hello: Message<{ readonly version: number }, WorkerSlot>;
  /** From now on it gets connections. */
  readonly serving: Message<{ readonly url: string }>;
  readonly lease: Message<{ readonly requests: readonly LeaseRequest[] }, readonly Lease[]>;
  /** Returns leased points. */
  readonly points: Message<{ readonly leases: readonly ReturnedLease[] }>;
  /** Takes places for a WebSocket; the answer is the index of the first claim for which no place is left. */
  readonly take: Message<Claims, number | undefined>;
  /** Gives back places. */
  readonly places: Message<Claims & { readonly place: ConnectionKind }>;
  /** The process's metrics. */
  readonly report: Message<{ readonly report: MetricsReport }>;
  /** Asks for the text of the metrics of all workers. */
  readonly metrics: Message<object, string>;
  /** News from the lead for the other workers. */
  readonly news: Message<News>;
  /** A token was used; the lead writes that to the database. */
  readonly use: Message<Use>;
} & {
  readonly [What in keyof Surveyed]: Message<
    { readonly timeoutMs: number },
    readonly Reported<Surveyed[What]>[]
  >;
};

/** What a supervisor sends to one of its workers. */
export type ToWorker = {
  /** Comes with a socket, unless that was closed on the way; answered when the socket has arrived. */
  readonly connection: Message<Claims & { readonly listener: ListenerName }>;
  /** Asks for a `report` before the answer. */
  readonly metrics: Message;
  readonly news: Message<News>;
  /** The lead has ended, so no more of its news will come. */
  readonly silence: Message;
  /** A token was used in another process. */
  readonly use: Message<Use>;
  /** Drain and end. */
  readonly leave: Message<{ readonly isReplaced: boolean }>;
} & { readonly [What in keyof Surveyed]: Message<object, Surveyed[What] | undefined> };
