/// <reference lib="esnext.disposable" preserve="true" />
export type { SnapshotReader } from '../snapshot-reader.ts';
export {
  type ParallelSnapshotOptions,
  parallelSnapshot,
  type SnapshotProgress,
} from './parallel-snapshot.ts';
