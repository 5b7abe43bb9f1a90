import type { HttpBindings } from '@hono/node-server';
import type { SandboxRestaurant, Vendor } from '../catalogue/restaurant.ts';
import type { ShinsegaeRestaurant } from '../catalogue/shinsegae-restaurants.ts';
import type { Injector } from './injector.ts';
import type { OperatorStats } from './stats.ts';

/** What a handler gets from the Node server that Hono runs on. */
export interface SandboxEnv {
  Bindings: HttpBindings;
}

/** What both operators' apps share. */
export interface SandboxContext {
  readonly seed: string;
  readonly clock: () => number;
  /** True if answers have the shapes of recordings. */
  readonly recorded: boolean;
  readonly latencyMs: number;
  readonly welstory: ReadonlyMap<string, SandboxRestaurant>;
  readonly shinsegae: ReadonlyMap<string, ShinsegaeRestaurant>;
  readonly stats: Readonly<Record<Vendor, OperatorStats>>;
  readonly injector: Injector;
  readonly closing: AbortSignal;
  /** Scheme, host and port of the listener. */
  readonly origin: () => string;
}
