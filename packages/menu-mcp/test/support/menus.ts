import { createMenuService, type MenuService, openOperators, systemClock } from 'menu-client';
import { type FaultRule, type Sandbox, startSandbox } from 'menu-sandbox';

/** A working day, at noon in Seoul. */
export const NOON_MS = Date.parse('2026-11-18T03:00:00Z');
export const TODAY = '2026-11-18';

export interface Menus {
  readonly sandbox: Sandbox;
  readonly service: MenuService;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The real service over a sandbox of both operators. */
export async function openMenus(faults: readonly FaultRule[] = []): Promise<Menus> {
  const sandbox = await startSandbox({ latencyMs: 0, faults });
  // Runs from the day that the tests ask for on.
  const startMs = NOON_MS - performance.now();
  const service = createMenuService({
    clock: { ...systemClock, nowMs: () => startMs + performance.now() },
    operators: openOperators(sandbox.environment, {
      random: () => 0.5,
      maxRequestsPerMinute: 100_000,
      retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 2 },
    }),
  });
  return {
    sandbox,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}
