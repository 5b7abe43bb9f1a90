import type { MenuErrorCode } from '../../domain/menu-error.ts';
import type { Vendor } from '../../domain/restaurant.ts';

/** An operator whose restaurants have never been read, so that answers over all operators lack them. */
export interface UnreadOperator {
  /** The operator. */
  readonly vendor: Vendor;
  /** Why they could not be read; `deadline_exceeded` while the first answer has not come yet. */
  readonly reason: MenuErrorCode;
  /** When a read of them first failed (RFC 3339, UTC). */
  readonly since: string;
  /** Milliseconds until they are asked for again. */
  readonly retryAfterMs: number;
}
