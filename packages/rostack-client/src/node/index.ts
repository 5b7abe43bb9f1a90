/// <reference lib="esnext.disposable" preserve="true" />
export { reasonOf } from '../http/error/reason.ts';
export { KeyLock } from './key-lock.ts';
export { SqliteStateStore } from './sqlite-state-store.ts';
export { transact } from './transact.ts';
