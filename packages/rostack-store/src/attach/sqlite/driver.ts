import type { AttachDriver } from '../driver/attach-driver.ts';
import { sqliteInstaller as installer } from './installer.ts';
import { sqliteReader as reader } from './reader.ts';
import { withTableLock } from './with-table-lock.ts';

export const sqliteAttachDriver: AttachDriver = { installer, reader, withTableLock };
