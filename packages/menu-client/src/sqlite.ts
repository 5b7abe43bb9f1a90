export type { SqliteMenuStoreOptions } from './store/sqlite-menu-store.ts';
export { openSqliteMenuStore } from './store/sqlite-menu-store.ts';
