import type { SandboxRestaurant } from '../catalogue/restaurant.ts';
import type { ShinsegaeRestaurant } from '../catalogue/shinsegae-restaurants.ts';
import type { Vendor } from '../catalogue/vendor.ts';
import type { Injector } from '../faults/injector.ts';
import type { OperatorStats } from './stats.ts';

/** What both operators' apps share. */
export interface SandboxContext {
  readonly seed: string;
  readonly clock: () => number;
  readonly latencyMs: number;
  readonly welstory: ReadonlyMap<string, SandboxRestaurant>;
  readonly shinsegae: ReadonlyMap<string, ShinsegaeRestaurant>;
  readonly stats: Readonly<Record<Vendor, OperatorStats>>;
  readonly injector: Injector;
  readonly closing: AbortSignal;
  /** Scheme, host and port of the listener. */
  readonly origin: () => string;
}
