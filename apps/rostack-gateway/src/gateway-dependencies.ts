import type { Logger } from 'pino';
import type { Authenticator, GatewayObserver, HttpHooks } from 'rostack-server';

/** What a gateway takes from outside beside its configuration. */
export interface GatewayDependencies {
  /** Told of unexpected errors and alarms, one line each, without secrets. @default nobody */
  readonly log?: (line: string) => void;
  /** Told of everything: requests, connections, alarms, errors. Give it a scrubber: see `createLogger`. @default nobody */
  readonly logger?: Logger;
  /** Told of each HTTP request and each error behind one. @default `log`, of errors */
  readonly hooks?: HttpHooks;
  /** Told of WebSocket connections and alarms. @default `log`, of alarms */
  readonly observer?: GatewayObserver;
  /** Ways to authenticate beside those of the configuration; their methods have to be switched on there. @default none */
  readonly authenticators?: readonly Authenticator[];
}
