/// <reference lib="esnext.disposable" preserve="true" />
export { reasonOf } from '../http/error/reason.ts';
export { SqliteStateStore } from './sqlite-state-store.ts';
