import { z } from 'zod';
import type { JsonObject } from '../json.ts';
import { nonEmpty } from '../model/text.ts';

/**
 * The envelope of a collection response. `event_cursor` is required when the resource has events;
 * whoever reads one knows the resource and asks for it.
 */
export const collectionModel = z.strictObject({
  items: z.array(z.looseObject({})) as unknown as z.ZodArray<z.ZodType<JsonObject>>,
  page: z.strictObject({
    next_cursor: nonEmpty.nullable(),
    has_more: z.boolean(),
    event_cursor: nonEmpty.optional(),
  }),
});

/** One page of a collection (protocol section 5). */
export type Collection = z.infer<typeof collectionModel>;
