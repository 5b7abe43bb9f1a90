/** One connection of a link. */
export interface LinkConnection {
  /** Counts the connections that the link has opened. */
  readonly number: number;
  /** Authenticated, and every subscription answered. */
  readonly isReady: boolean;
  /** One heartbeat interval has passed on it. */
  readonly isHealthy: boolean;
}

/**
 * The connections of a link: one, or two while the server drains the first. Times are monotonic milliseconds.
 * @see protocol section 8
 */
export interface LinkState {
  readonly isWanted: boolean;
  readonly main: LinkConnection | undefined;
  /** Takes over from `main` once it is ready. */
  readonly next: LinkConnection | undefined;
  readonly opened: number;
  /** Connections lost or not made since the last healthy one. */
  readonly failures: number;
  /** When the next connection is opened. */
  readonly openAtMs: number | undefined;
  /** Where the server wishes to see us next. */
  readonly gatewayUrl: string | undefined;
}

export const IDLE_LINK: LinkState = {
  isWanted: false,
  main: undefined,
  next: undefined,
  opened: 0,
  failures: 0,
  openAtMs: undefined,
  gatewayUrl: undefined,
};
