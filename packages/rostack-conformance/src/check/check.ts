import type { Exchange } from '../probe/http/exchange.ts';
import type { CheckContext } from './check-context.ts';
import type { Level } from './level.ts';
import type { Need } from './need.ts';

/** Checks some requirements by sending requests to the target. */
export interface Check {
  /** Unique, dotted, such as `reads.filter.operators`. */
  readonly name: string;
  readonly level: Level;
  /** Ids of the requirements that it may judge. */
  readonly requirements: readonly string[];
  /** What it needs; if something is missing, the check is skipped for that reason. */
  readonly needs: readonly Need[];
  /** It also runs on a target without a usable discovery document: it does not read `discovery` of its context. */
  readonly withoutDiscovery?: true;
  /** Its requests may end before they reach the target, so the watches do not look at the answers. */
  readonly withoutWatches?: true;
  /** It mostly waits and sends no HTTP requests, so it runs beside the other checks of its level. */
  readonly runsBeside?: true;
  run(context: CheckContext): Promise<void>;
}

/** Looks at every answer of the target, no matter which check made the request. */
export interface Watch extends Pick<Check, 'name' | 'level' | 'requirements'> {
  watch(exchange: Exchange, context: CheckContext): void;
}
