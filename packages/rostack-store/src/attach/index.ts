export { type AttachReport, attachTable } from './attach-table.ts';
export type { MoverFault, MoverState, MoverStatus } from './attachment-runner.ts';
export { type DetachReport, detachTable } from './detach-table.ts';
export { type Mover, type MoverOptions, startMover } from './mover.ts';
export { findQuarantinedRow, type Quarantine, type QuarantinedRow, readQuarantine } from './quarantine.ts';
export type { TableLockOptions } from './run-with-table-lock.ts';
export { checkTableSource, type SourceColumn, type TableSource } from './table-source.ts';
