export type { PostgresMenuStoreOptions } from './store/postgres-menu-store.ts';
export { openPostgresMenuStore } from './store/postgres-menu-store.ts';
