import { MenuError } from '../error/menu-error.ts';
import { memoryMenuStore } from './memory-menu-store.ts';
import type { MenuStore } from './menu-store.ts';

/**
 * Opens the store that a URL names: `memory:`, `sqlite:./data/menus.db` or `postgres://...`. A database's driver is
 * loaded only when it is named.
 * @throws MenuError `invalid_argument`, `store_unavailable`
 */
export async function openMenuStore(url: string): Promise<MenuStore> {
  if (url === 'memory:') return memoryMenuStore();
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    const { openSqliteMenuStore } = await import('./sqlite-menu-store.ts');
    return openSqliteMenuStore(url.slice('sqlite:'.length));
  }
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { openPostgresMenuStore } = await import('./postgres-menu-store.ts');
    return openPostgresMenuStore(url);
  }
  throw new MenuError(
    'invalid_argument',
    'A store is memory:, sqlite:<file> or postgres://<host>/<database>.',
  );
}
