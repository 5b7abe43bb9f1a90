export type { CommandIo } from './command-io.ts';
export { runConformanceCommand } from './run-command.ts';
