export { type CommandIo, runExplorerCommand } from './run-command.ts';
