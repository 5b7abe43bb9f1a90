import { VENDORS } from 'menu-client';
import { z } from 'zod';

const Status = z.enum(['ok', 'degraded', 'down']);

/** Body of `/api/health`. */
export const Health = z
  .object({
    status: Status,
    version: z.string().meta({ description: 'Version of this service.' }),
    time: z.iso.datetime().meta({ description: 'Now, UTC.' }),
    operators: z.array(
      z.object({
        vendor: z.enum(VENDORS),
        status: Status,
        lastSuccessAt: z.iso.datetime().nullable().meta({ description: 'Null until the first success.' }),
      }),
    ),
    store: z.enum(['ok', 'down']),
    prefetch: z
      .object({ done: z.int().min(0), total: z.int().min(0) })
      .optional()
      .meta({ description: 'How far reading the days ahead is; absent when nothing is being read.' }),
  })
  .meta({ id: 'Health', description: 'What works now.' });
