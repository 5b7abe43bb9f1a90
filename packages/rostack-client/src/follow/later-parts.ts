export { parseSort } from 'rostack-core/records';
export { readDecimalFields } from '../resource/read-decimal-fields.ts';
export { MemoryStateStore } from '../store/memory-state-store.ts';
export { StatePlace } from '../store/state-place.ts';
export { WindowSet } from './window-set.ts';
