import { MenuError } from '../domain/menu-error.ts';

/**
 * For importing a database's driver, which applications that use it install themselves. A driver that is installed but
 * fails, such as a binary for another machine, throws its own error.
 * @throws MenuError `driver_missing`
 */
export function missingDriver(database: string, driver: string): (cause: unknown) => never {
  return (cause) => {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes(`'${driver}'`)) throw cause;
    throw new MenuError(
      'driver_missing',
      `${database} is reached with the package ${driver}: npm install ${driver}`,
      { cause },
    );
  };
}
