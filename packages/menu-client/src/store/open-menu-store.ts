import { MenuError } from '../domain/menu-error.ts';
import { memoryMenuStore } from './memory-menu-store.ts';
import type { MenuStore } from './menu-store.ts';

/** A store's location. */
export type StoreAddress =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads the URL of a store: `memory:`, `sqlite:./data/menus.db` or `postgres://...`. Opens nothing.
 * @throws MenuError `invalid_argument`
 */
export function parseStoreUrl(url: string): StoreAddress {
  if (url === 'memory:') return { kind: 'memory' };
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path };
  if (/^postgres(?:ql)?:\/\/./.test(url)) return { kind: 'postgres', url };
  throw new MenuError(
    'invalid_argument',
    'Pass a store such as memory:, sqlite:<file> or postgres://<host>/<database>.',
  );
}

/**
 * Opens the store that a URL names: `memory:`, `sqlite:./data/menus.db` or `postgres://...`. A database's driver is
 * loaded only when the URL needs it.
 * @throws MenuError `invalid_argument`, `driver_missing`, `store_unavailable`
 */
export async function openMenuStore(url: string): Promise<MenuStore> {
  const address = parseStoreUrl(url);
  if (address.kind === 'memory') return memoryMenuStore();
  if (address.kind === 'sqlite') {
    const { openSqliteMenuStore } = await import('./sqlite-menu-store.ts');
    return openSqliteMenuStore(address.path);
  }
  const { openPostgresMenuStore } = await import('./postgres-menu-store.ts');
  return openPostgresMenuStore(address.url);
}
