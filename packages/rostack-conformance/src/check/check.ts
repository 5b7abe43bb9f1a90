import type { Exchange } from '../http/exchange.ts';
import type { CheckContext } from './check-context.ts';
import type { Level } from './level.ts';
import type { Need } from './need.ts';

/** Looks at some requirements by asking the target. */
export interface Check {
  /** Unique, dotted, such as `reads.filter.operators`. */
  readonly name: string;
  readonly level: Level;
  /** Ids of the requirements that it may judge. */
  readonly requirements: readonly string[];
  /** What it needs; where something is missing it is skipped for that reason. */
  readonly needs: readonly Need[];
  /** Runs on a target without a usable discovery document too: it does not read `discovery` of its context. */
  readonly withoutDiscovery?: true;
  /** Its requests may end before they come to the target: the watches do not look at the answers. */
  readonly withoutWatches?: true;
  run(context: CheckContext): Promise<void>;
}

/** Looks at every answer of the target, whichever check has asked. */
export interface Watch extends Pick<Check, 'name' | 'level' | 'requirements'> {
  watch(exchange: Exchange, context: CheckContext): void;
}
