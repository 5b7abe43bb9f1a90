import type { Server } from 'node:net';
import type { SharedCounters, SharedPlaces } from 'rostack-server';
import type { ListenerName, LogNews, MetricsReport, Told } from './messages.ts';
import type { Readiness } from './readiness.ts';

/** What a gateway has of the other processes that serve with it on this machine. */
export interface Machine {
  /** Whether this process writes, follows the logs in the database, and has the admin listener. */
  readonly isLead: boolean;
  /** Whether another process has taken over: an admin listener is to be given up at once. */
  readonly isReplaced: boolean;
  /** Port of the data listener, which the supervisor has bound. */
  readonly port: number;
  /** Port of the admin listener; undefined where this process has none. */
  readonly adminPort: number | undefined;
  /** Gives a server the connections of a listener, as soon as this process serves. */
  serve(listener: ListenerName, server: Server): void;
  /** Rates, where no database counts them. */
  readonly counters: SharedCounters;
  /** WebSockets. */
  readonly places: SharedPlaces;
  /** Tells the other workers what is new in a log. */
  tell(news: LogNews): void;
  /** Calls back with what the lead tells of logs, and with `undefined` when it has ended. Returns how to stop. */
  listen(onNews: (news: LogNews | undefined) => void): () => void;
  /** Tells the lead that a token was used. */
  tellUse(tokenId: string): void;
  /** Calls back when another process has seen a token used. */
  onUse(note: (tokenId: string) => void): void;
  /** Gives the metrics of this process whenever they are collected. */
  onCollect(report: () => Promise<MetricsReport>): void;
  /** Gives the readiness of this process whenever it is collected. */
  onLook(look: () => Promise<Readiness>): void;
  /** The text of the metrics of all processes together. */
  metrics(): Promise<string>;
  /** Whether each process is ready, this one among them. @param timeoutMs for each to answer */
  readiness(timeoutMs: number): Promise<readonly Told<Readiness>[]>;
  /** Whether each process answers, this one among them. @param timeoutMs for each to answer */
  life(timeoutMs: number): Promise<readonly Told<true>[]>;
}
