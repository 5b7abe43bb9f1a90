export { SqliteStateStore } from './sqlite-state-store.ts';
