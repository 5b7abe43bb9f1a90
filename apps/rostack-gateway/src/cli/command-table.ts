import type { RegisterCommand } from './command.ts';
import { registerAttach } from './commands/attach.ts';
import { registerBackup } from './commands/backup.ts';
import { registerCheckConfig } from './commands/check-config.ts';
import { registerDetach } from './commands/detach.ts';
import { registerDiff } from './commands/diff.ts';
import { registerImport } from './commands/import.ts';
import { registerInit } from './commands/init.ts';
import { registerRenewEpoch } from './commands/renew-epoch.ts';
import { registerRestore } from './commands/restore.ts';
import { registerStart } from './commands/start.ts';
import { registerToken } from './commands/token.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly RegisterCommand[] = [
  registerInit,
  registerCheckConfig,
  registerStart,
  registerToken,
  registerImport,
  registerAttach,
  registerDetach,
  registerBackup,
  registerRestore,
  registerRenewEpoch,
  registerDiff,
];
