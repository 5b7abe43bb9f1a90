import { MenuError } from 'menu-client';

const hasMethod = (value: unknown, name: string): boolean => typeof Object(value)[name] === 'function';

/** @throws MenuError `invalid_argument` for anything but a menu service */
export function checkService(service: unknown): void {
  if (hasMethod(service, 'dailyMenu') && hasMethod(service, 'search')) return;
  throw new MenuError('invalid_argument', 'Pass a menu service, such as createMenuService() makes it.');
}

/** @throws MenuError `invalid_argument` for a server without this method */
export function checkHost(server: unknown, method: string): void {
  if (hasMethod(server, method)) return;
  throw new MenuError('invalid_argument', `Pass a server with ${method}, such as an McpServer of the SDK.`);
}
