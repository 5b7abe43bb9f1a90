import { createMenuService, type MenuService, planeatOperator, welstoryOperator } from 'menu-client';
import { type Sandbox, startSandbox } from 'menu-sandbox';

/** A working day, at noon in Seoul. */
export const NOON_MS = Date.parse('2026-11-18T03:00:00Z');
export const TODAY = '2026-11-18';

export interface Menus {
  readonly sandbox: Sandbox;
  readonly service: MenuService;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The real service over the stand-in of both operators. */
export async function openMenus(): Promise<Menus> {
  const sandbox = await startSandbox({ latencyMs: 0 });
  const maxRequestsPerMinute = 100_000;
  const service = createMenuService({
    operators: [
      welstoryOperator({
        username: 'sandbox',
        password: 'sandbox',
        baseUrl: sandbox.welstoryUrl,
        maxRequestsPerMinute,
      }),
      planeatOperator({ baseUrl: sandbox.planeatUrl, maxRequestsPerMinute }),
    ],
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
