import type { AttachDriver } from '../driver/attach-driver.ts';
import { sqliteInstaller as installer } from './install/installer.ts';
import { withTableLock } from './install/with-table-lock.ts';
import { sqliteReader as reader } from './read/reader.ts';

export const sqliteAttachDriver: AttachDriver = { installer, reader, withTableLock };
