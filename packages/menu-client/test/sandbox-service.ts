import { createMenuService, type MenuService, type MenuServiceOptions, openOperators } from 'menu-client';
import type { Sandbox } from 'menu-sandbox';
import { runningClock } from './running-clock.ts';

/** A service over both operators of a sandbox, which need no sparing; the jitter of retries is always the same. */
export function sandboxService(
  sandbox: Sandbox,
  options: Omit<MenuServiceOptions, 'operators'> = {},
): MenuService {
  return createMenuService({
    operators: openOperators(sandbox.environment, { maxRequestsPerMinute: 60_000, random: () => 0.5 }),
    clock: runningClock(),
    ...options,
  });
}
