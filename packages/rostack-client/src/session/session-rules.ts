import type { Release } from 'rostack-core';

/** What one connection is held to; times in milliseconds. */
export interface SessionRules {
  readonly apiVersion: string;
  readonly release: Release;
  readonly heartbeatIntervalMs: number;
  readonly heartbeatTimeoutMs: number;
  /** How long the server may take to answer `authenticate` or `subscribe`. */
  readonly answerTimeoutMs: number;
  readonly maxFrameLength: number;
  /** Whether the caller can give another credential than the first. */
  readonly canRenew: boolean;
}

/** Two clocks read at once; delays are counted by the monotonic one. */
export interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}
