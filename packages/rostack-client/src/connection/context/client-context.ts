import type { CredentialSource } from '../credential/credentials.ts';
import type { OriginPolicy } from '../credential/origin-policy.ts';
import type { Platform } from '../platform/platform.ts';
import type { ClientLimits } from './client-limits.ts';

/** What all parts of one client share. */
export interface ClientContext {
  readonly platform: Platform;
  readonly limits: ClientLimits;
  /** See `ClientOptions`; 0: never. */
  readonly bookmarkAfterMs: number;
  readonly policy: OriginPolicy;
  readonly credentials: CredentialSource;
  /** Aborted when the client is closed, with what then fails. */
  readonly life: AbortSignal;
}
