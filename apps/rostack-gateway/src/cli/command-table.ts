import type { RegisterCommand } from './command.ts';
import { registerCheckConfig } from './commands/check-config.ts';
import { registerStart } from './commands/start.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly RegisterCommand[] = [registerCheckConfig, registerStart];
