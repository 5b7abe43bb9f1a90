import type { RecordSource } from 'rostack-core';

/** Answers a request of HTTP as the reference does. */
export type Answer = (request: Request) => Promise<Response>;

/** What a mutant does to the text messages of one connection. */
export interface FrameHooks {
  /** The texts to send instead of one from the gateway: none drops it. @default it alone */
  readonly fromServer?: (text: string) => readonly string[];
  /** The texts to hand to the gateway instead of one from the client. @default it alone */
  readonly fromClient?: (text: string) => readonly string[];
  /** The texts to answer one from the client with at once. @default none */
  readonly reply?: (text: string) => readonly string[];
  /** The code to close the client with instead of one of the gateway; undefined leaves it open. @default the same */
  readonly closing?: (code: number) => number | undefined;
  /** Whether binary messages are handed on. @default true */
  readonly takesBinary?: boolean;
}

/** One fault of the reference server. */
export interface Mutant {
  /** The requirements that it breaks, and no other. */
  readonly fails: readonly string[];
  /** Reads records wrongly. */
  readonly source?: (source: RecordSource, resource: string) => RecordSource;
  /** Changes requests, or answers. */
  readonly answer?: (request: Request, answer: Answer) => Promise<Response>;
  /** Changes messages of the gateway; called for each connection. */
  readonly frames?: () => FrameHooks;
  /** The subprotocol that is chosen; false for none. @default the first one that is offered */
  readonly subprotocol?: string | false;
  /** Interval and timeout of its heartbeat, in milliseconds. @default 3000 */
  readonly heartbeatMs?: number;
}
