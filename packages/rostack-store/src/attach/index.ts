export { type AttachReport, attachTable } from './attach-table.ts';
export { type DetachReport, detachTable } from './detach-table.ts';
export { type Mover, type MoverOptions, startMover } from './mover/mover.ts';
export type { MoverFault, MoverState, MoverStatus } from './mover/mover-status.ts';
export { findQuarantinedRow, type Quarantine, type QuarantinedRow, readQuarantine } from './quarantine.ts';
export type { TableLockOptions } from './run-with-table-lock.ts';
export { checkTableSource, type SourceColumn, type TableSource } from './table-source.ts';
