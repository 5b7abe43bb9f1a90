import type { Server } from 'node:net';
import type { SharedConnectionLimits, SharedCounters } from 'rostack-server';
import type { ListenerName, LogUpdate, MetricsReport, Reported, Surveyed } from './messages.ts';

/** How a gateway works together with the other processes that serve the same on this machine. */
export interface Peers {
  /** Whether this process writes, follows the logs in the database, and has the admin listener. */
  readonly isLead: boolean;
  /** Whether another process has taken over: an admin listener has to be given up at once. */
  readonly isReplaced: boolean;
  /** Port of the data listener, which the supervisor has bound. */
  readonly port: number;
  /** Port of the admin listener; undefined if this process has none. */
  readonly adminPort: number | undefined;
  /** Passes the connections of a listener to a server, as soon as this process serves. */
  serve(listener: ListenerName, server: Server): void;
  /** Counts rates for all processes, if no database counts them. */
  readonly counters: SharedCounters;
  /** Counts WebSockets for all processes. */
  readonly sharedConnectionLimits: SharedConnectionLimits;
  /** Sends news of a log to the other workers. */
  tell(news: LogUpdate): void;
  /** Calls back with the lead's news of logs, and with `undefined` when it has ended. Returns a function that stops this. */
  listen(onNews: (news: LogUpdate | undefined) => void): () => void;
  /** Notifies the lead that a token was used. */
  tellUse(tokenId: string): void;
  /** Calls back when a token was used in another process. */
  onUse(note: (tokenId: string) => void): void;
  /** Sets the function that returns the metrics of this process when they are collected. */
  onMetrics(report: () => Promise<MetricsReport>): void;
  /** Sets the function that answers a survey for this process. */
  onSurvey<What extends keyof Surveyed>(what: What, answer: () => Promise<Surveyed[What]>): void;
  /** The text of the metrics of all processes together. */
  metrics(): Promise<string>;
  /** The answers of all processes, including this one. @param timeoutMs how long each may take to answer */
  survey<What extends keyof Surveyed>(
    what: What,
    timeoutMs: number,
  ): Promise<readonly Reported<Surveyed[What]>[]>;
}
