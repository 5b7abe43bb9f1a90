/// <reference lib="esnext.disposable" preserve="true" />
export { SqliteStateStore } from './sqlite-state-store.ts';
