import { z } from 'zod';
import { clientModels20260812, clientModels20260813 } from './client-message.ts';
import { compactEventModel } from './compact-event.ts';
import { serverModels20260812, serverModels20260813 } from './server-message.ts';

/** Every frame of either side, release 2026-08-13. */
export const websocketMessageModel20260813 = z.union([
  z.discriminatedUnion('type', [...clientModels20260813, ...serverModels20260813]),
  compactEventModel,
]);

/** Every frame of either side, release 2026-08-12. */
export const websocketMessageModel20260812 = z.union([
  z.discriminatedUnion('type', [...clientModels20260812, ...serverModels20260812]),
  compactEventModel,
]);
