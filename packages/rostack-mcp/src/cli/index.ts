export { type CommandIo, runMcpCommand } from './run-command.ts';
