/** What a rate is counted by: the address of the client, or who it has proved to be. */
export type RateLimitScope = 'address' | 'principal';

/** Counts what clients use, for HTTP requests and WebSocket sessions alike. */
export interface RateLimiter {
  /**
   * Takes points from a budget: 0 when they were granted, else the time in ms until it is worth asking again.
   * @param points at least 0; 0 only asks
   */
  consume(scope: RateLimitScope, key: string, points: number): Promise<number>;
  /** Points that a failed authentication costs its address, on top of the request itself. */
  readonly failedAuthenticationPoints: number;
}
