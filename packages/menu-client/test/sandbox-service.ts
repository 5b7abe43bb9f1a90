import { createMenuService, type MenuService, type MenuServiceOptions, openOperators } from 'menu-client';
import { DEFAULT_CREDENTIALS, type Sandbox } from 'menu-sandbox';

/** The variables that lead to the operators of a sandbox. */
export function sandboxEnvironment(sandbox: Sandbox): Record<string, string> {
  return {
    WELSTORY_BASE_URL: sandbox.welstoryUrl,
    PLANEAT_BASE_URL: sandbox.planeatUrl,
    WELSTORY_USERNAME: DEFAULT_CREDENTIALS.username,
    WELSTORY_PASSWORD: DEFAULT_CREDENTIALS.password,
  };
}

/** A service over both operators of a sandbox, which need no sparing. */
export function sandboxService(
  sandbox: Sandbox,
  options: Omit<MenuServiceOptions, 'operators'> = {},
): MenuService {
  return createMenuService({
    operators: openOperators(sandboxEnvironment(sandbox), { maxRequestsPerMinute: 60_000 }),
    ...options,
  });
}
