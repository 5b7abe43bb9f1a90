import { z } from 'zod';
import { Lang } from './parameters.ts';

/** What `/alarm.rss` takes. */
export const AlarmQuery = Lang.extend({
  dish: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'Words of the dish.', examples: ['돈까스'] }),
  r: z
    .array(z.string())
    .min(1)
    .max(12)
    .meta({ description: 'Restaurants, each as vendor.id.', examples: [['welstory.REST000007']] }),
});
/** What `/alarm.ics` takes. */
export const AlarmCalendarQuery = AlarmQuery.extend({
  dish: AlarmQuery.shape.dish.optional().meta({
    description: 'Words of the dish; without them, `at` says when to remind of lunch.',
    examples: ['돈까스'],
  }),
  at: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
    .optional()
    .meta({
      description: 'A time of day in Seoul: each day that has lunch, with its menus. Not with `dish`.',
    }),
});
