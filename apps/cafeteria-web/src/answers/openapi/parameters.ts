import { VENDORS } from 'menu-client';
import { z } from 'zod';

/** The language of a page or feed. */
export const Lang = z.object({
  lang: z.enum(['ko', 'en']).optional().meta({ description: 'Language; by Accept-Language when left out.' }),
});

/** Of the paths of a restaurant. */
export const RestaurantPath = z.object({
  vendor: z
    .enum(VENDORS)
    .meta({ description: 'Catering operator, as in a search item.', examples: ['welstory'] }),
  id: z.string().meta({
    description: 'Restaurant identifier, as in a search item, percent-encoded.',
    examples: ['REST000007'],
  }),
  slug: z.string().meta({
    description: 'Name part of the path; another one leads to the right one by 308.',
    examples: ['r5-1식당'],
  }),
});

/** Of the paths of a restaurant's day. */
export const DayPath = RestaurantPath.extend({
  date: z
    .string()
    .regex(/^\d{8}$/)
    .meta({ description: 'Day in Asia/Seoul, YYYYMMDD.', examples: ['20261120'] }),
});
