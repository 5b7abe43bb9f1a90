import type { AttachDriver } from '../driver/attach-driver.ts';
import { postgresInstaller as installer } from './installer.ts';
import { postgresReader as reader } from './reader.ts';
import { withTableLock } from './with-table-lock.ts';

export const postgresAttachDriver: AttachDriver = { installer, reader, withTableLock };
