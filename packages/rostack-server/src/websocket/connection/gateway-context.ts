import type { AuthenticatorSet } from '../../auth/authenticator-set.ts';
import type { GatewayHooks } from '../../options/gateway-hooks.ts';
import type { RateLimiter } from '../../rate-limit/index.ts';
import type { BufferBudget } from '../delivery/outbox.ts';
import type { WriteRound } from '../delivery/write-round.ts';
import type { ResourceHub } from '../hub/resource-hub.ts';
import type { Clock } from '../options/clock.ts';
import type { WebSocketLimits } from '../options/websocket-limits.ts';
import type { SessionRules } from '../session/session-rules.ts';
import type { Admission } from './admission.ts';
import type { CredentialWatch } from './credential-watch.ts';

/** What all connections of a gateway share. */
export interface GatewayContext {
  readonly rules: SessionRules;
  readonly hubs: ReadonlyMap<string, ResourceHub>;
  readonly authenticators: AuthenticatorSet;
  readonly admission: Admission;
  readonly credentials: CredentialWatch;
  readonly clock: Clock;
  readonly round: WriteRound;
  readonly budget: BufferBudget;
  readonly limits: WebSocketLimits;
  readonly hooks: GatewayHooks;
  /** Counts failed authentications; undefined if they are not counted. */
  readonly rateLimiter: RateLimiter | undefined;
}
