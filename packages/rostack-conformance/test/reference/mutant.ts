import type { RecordSource } from 'rostack-core';

/** Answers a request of HTTP as the reference does. */
export type Answer = (request: Request) => Promise<Response>;

/** What a mutant does to the text messages of one connection. */
export interface FrameHooks {
  /** The texts to send instead of one from the gateway: none drops it. @default it alone */
  readonly fromServer?: (text: string) => readonly string[];
  /** The texts to hand to the gateway instead of one from the client. @default it alone */
  readonly fromClient?: (text: string) => readonly string[];
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
}
