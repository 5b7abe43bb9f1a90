import {
  createMenuService,
  type MenuService,
  type MenuServiceOptions,
  planeatOperator,
  welstoryOperator,
} from 'menu-client';
import { DEFAULT_CREDENTIALS, type Sandbox } from 'menu-sandbox';

/** A service over both operators of a sandbox, which need no sparing. */
export function sandboxService(
  sandbox: Sandbox,
  options: Omit<MenuServiceOptions, 'operators'> = {},
): MenuService {
  const pace = { maxRequestsPerMinute: 60_000 };
  return createMenuService({
    operators: [
      welstoryOperator({ baseUrl: sandbox.welstoryUrl, ...DEFAULT_CREDENTIALS, ...pace }),
      planeatOperator({ baseUrl: sandbox.planeatUrl, ...pace }),
    ],
    ...options,
  });
}
