/** How connections are counted: all of them, per client address, or per principal. */
export type ConnectionScope = 'all' | 'address' | 'principal';

/** One place among those that share a scope and a key. */
export interface ConnectionSlot {
  /** What is counted. */
  readonly scope: ConnectionScope;
  /** The address or principal; empty for all. */
  readonly key: string;
  /** How many places there are; at least 1. */
  readonly max: number;
}

/** Hands out places for connections to several servers, so that together they do not exceed the limits. */
export interface SharedConnectionLimits {
  /**
   * Takes all claimed places, or none. If it rejects, the connection is refused.
   * @returns undefined if they were taken, else the index of the first claim for which no place is left
   */
  acquire(claims: readonly ConnectionSlot[]): Promise<number | undefined>;
  /** Gives back places that were taken. */
  release(claims: readonly ConnectionSlot[]): void;
}
