import type { AttachDriver } from '../driver/attach-driver.ts';
import { postgresInstaller as installer } from './install/installer.ts';
import { withTableLock } from './install/with-table-lock.ts';
import { postgresReader as reader } from './read/reader.ts';

export const postgresAttachDriver: AttachDriver = { installer, reader, withTableLock };
