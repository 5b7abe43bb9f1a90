export {
  findQuarantinedRow,
  type Quarantine,
  type QuarantinedRow,
  readQuarantine,
} from './attachment/quarantine.ts';
export type { TableLockOptions } from './driver/table-lock-options.ts';
export { type AttachReport, attachTable } from './install/attach-table.ts';
export { type DetachReport, detachTable } from './install/detach-table.ts';
export { type Mover, type MoverOptions, startMover } from './mover/mover.ts';
export type { MoverFault, MoverState, MoverStatus } from './mover/mover-status.ts';
export { checkTableSource, type SourceColumn, type TableSource } from './source/table-source.ts';
