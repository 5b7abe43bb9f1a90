import { Hono } from 'hono';
import type { SandboxRestaurant, Vendor } from '../catalogue/restaurant.ts';
import { shinsegaeRestaurants } from '../catalogue/shinsegae-restaurants.ts';
import { welstoryRestaurants } from '../catalogue/welstory-restaurants.ts';
import { type MealPlan, planDay } from '../kitchen/day-plan.ts';
import { photoRoutes } from '../photos/photo-routes.ts';
import { createMovingTree, createShinsegaeApp } from '../shinsegae/app.ts';
import type { SandboxContext, SandboxEnv } from '../traffic/context.ts';
import { FAULTS, type FaultRule } from '../traffic/fault-rule.ts';
import { createInjector } from '../traffic/injector.ts';
import { createOperatorStats, type SandboxStats } from '../traffic/stats.ts';
import { createWelstoryApp } from '../welstory/app.ts';
import { createSessions } from '../welstory/sessions.ts';
import { SandboxError } from './errors.ts';
import { listen } from './listen.ts';
import { parseFaults, parseOptions, type SandboxOptions } from './options.ts';

/** A running stand-in for both operators. */
export interface Sandbox {
  /** The listener, e.g. `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Base URL to use instead of `https://welplus.welstory.com`. */
  readonly welstoryUrl: string;
  /** Base URL to use instead of `https://m.planeatchoice.net/v2`. */
  readonly planeatUrl: string;
  /** The same URLs and the account, as the variables that programs over menu-client read. */
  readonly environment: Readonly<
    Record<'WELSTORY_BASE_URL' | 'WELSTORY_USERNAME' | 'WELSTORY_PASSWORD' | 'PLANEAT_BASE_URL', string>
  >;
  /** The 600 restaurants that a client should find. */
  readonly restaurants: readonly SandboxRestaurant[];
  /** What the kitchen planned, to compare with what a client reads. @param date `YYYY-MM-DD` */
  plan(vendor: Vendor, id: string, date: string): readonly MealPlan[];
  /** The requests since the start, up to now. */
  stats(): SandboxStats;
  /** Replaces the current rules. @throws SandboxError `invalid_options` */
  setFaults(faults: readonly FaultRule[]): void;
  /** Refuses every Welstory token issued so far. */
  expireSessions(): void;
  /** Changes PlanEAT Choice's tree, so that every `orgTreeId` changes. */
  moveTree(): void;
  /** Stops listening and ends the connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the stand-in on 127.0.0.1.
 * @throws SandboxError `invalid_options`, `port_in_use`
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed, port, faults, clock, scenario, latencyMs, tokenTtlMs, credentials } = parseOptions(options);
  const welstory = new Map(welstoryRestaurants(seed).map((restaurant) => [restaurant.id, restaurant]));
  const shinsegae = new Map(shinsegaeRestaurants(seed).map((restaurant) => [restaurant.id, restaurant]));
  const closing = new AbortController();
  let url = '';
  const context: SandboxContext = {
    seed,
    clock,
    recorded: scenario === 'recorded',
    latencyMs,
    welstory,
    shinsegae,
    stats: { welstory: createOperatorStats(), shinsegae: createOperatorStats() },
    injector: createInjector(seed, faults),
    closing: closing.signal,
    origin: () => url,
  };
  const sessions = createSessions(clock, tokenTtlMs);
  const tree = createMovingTree([...shinsegae.values()]);
  const app = new Hono<SandboxEnv>()
    .route('/welstory', createWelstoryApp({ context, sessions, credentials }))
    .route('/planeat', createShinsegaeApp(context, tree))
    .route('/upload', photoRoutes(context, context.stats.shinsegae))
    .route('/_sandbox', controlRoutes(context));
  const listener = await listen(app, port);
  url = listener.url;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing.abort();
    closed ??= listener.close();
    return closed;
  };
  const byVendor = { welstory, shinsegae };
  const [welstoryUrl, planeatUrl] = [`${url}/welstory`, `${url}/planeat`];
  return {
    url,
    welstoryUrl,
    planeatUrl,
    environment: {
      WELSTORY_BASE_URL: welstoryUrl,
      WELSTORY_USERNAME: credentials.username,
      WELSTORY_PASSWORD: credentials.password,
      PLANEAT_BASE_URL: planeatUrl,
    },
    restaurants: [...welstory.values(), ...shinsegae.values()],
    plan(vendor, id, date) {
      const restaurant = byVendor[vendor].get(id);
      return restaurant === undefined ? [] : planDay(seed, restaurant, date);
    },
    stats: () => structuredClone(context.stats),
    setFaults: (rules) => context.injector.replace(parseFaults(rules)),
    expireSessions: () => sessions.revokeAll(),
    moveTree: () => tree.move(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** `/_sandbox`: for tests in another process, to read the statistics and change the faults. */
function controlRoutes(context: SandboxContext): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .get('/stats', (c) => c.json(context.stats))
    .get('/faults', (c) => c.json(FAULTS))
    .put('/faults', async (c) => {
      try {
        context.injector.replace(parseFaults(await c.req.json()));
        return c.body(null, 204);
      } catch (error) {
        const known = error instanceof SandboxError || error instanceof SyntaxError;
        if (!known) throw error;
        return c.json({ message: error.message }, 400);
      }
    });
}
