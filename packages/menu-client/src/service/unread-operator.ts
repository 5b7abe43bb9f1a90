import type { MenuErrorCode } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';

/** An operator whose restaurants have never been read: an answer over all operators lacks them. */
export interface UnreadOperator {
  /** The operator. */
  readonly vendor: Vendor;
  /** Why they could not be read; `deadline_exceeded` while the first answer is still awaited. */
  readonly reason: MenuErrorCode;
  /** When a read of them first failed (RFC 3339, UTC). */
  readonly since: string;
  /** Milliseconds until they are asked for again. */
  readonly retryAfterMs: number;
}
