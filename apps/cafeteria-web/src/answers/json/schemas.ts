import { VENDORS } from 'menu-client';
import { z } from 'zod';

/** Query of `/proxy/search`. */
export const SearchQuery = z.object({
  q: z
    .string({ error: 'Send the keyword as q, such as /proxy/search?q=강남.' })
    .max(100, 'q may have at most 100 characters.')
    .meta({
      description:
        'Keywords, between spaces or commas: a name, a place, an operator, initial consonants, or a whole id. A blank one finds nothing.',
      examples: ['강남'],
    }),
  limit: z.coerce
    .number({ error: 'limit must be an integer from 1 to 50.' })
    .int('limit must be an integer from 1 to 50.')
    .min(1, 'limit must be an integer from 1 to 50.')
    .max(50, 'limit must be an integer from 1 to 50.')
    .default(20)
    .meta({ description: 'How many restaurants at most.' }),
});

/** One restaurant as `/proxy/search` returns it. */
export const SearchItem = z
  .object({
    id: z.string().meta({ description: 'Restaurant identifier, as in the path.', examples: ['REST000007'] }),
    name: z.string().meta({ description: 'Restaurant name, text of the operator.' }),
    vendor: z.enum(VENDORS).meta({ description: 'Catering operator.' }),
    path: z.string().meta({
      description:
        "Path of the restaurant's menu page; it leads to today's menu. Append /YYYYMMDD for another day.",
      examples: ['/restaurants/welstory/REST000007/%EA%B0%95%EB%82%A8'],
    }),
    location: z
      .array(z.string())
      .meta({ description: 'Where it is, from wide to narrow, text of the operator.' }),
  })
  .meta({ id: 'SearchItem', description: 'A restaurant that was found.' });

/** Query of `/proxy/dishes`. */
export const DishesQuery = z.object({
  q: z
    .string({ error: 'Send the dish as q, such as /proxy/dishes?q=돈까스.' })
    .max(100, 'q may have at most 100 characters.')
    .meta({
      description:
        'Words of the dish, in Korean or English; a day and a meal may be among them (내일점심, friday lunch). Without a word nothing is found.',
      examples: ['돈까스 today'],
    }),
  date: z
    .string()
    .max(40, 'date must be a day, such as today, 내일, friday, 11/28 or YYYYMMDD.')
    .optional()
    .meta({
      description:
        'One day, today to 6 days ahead, in Korean or English (today, 내일, friday, 다음주 월요일, 11/28, 11월 28일) or as YYYYMMDD or YYYY-MM-DD; all of them when left out.',
      examples: ['today'],
    }),
  limit: z.coerce
    .number({ error: 'limit must be an integer from 1 to 200.' })
    .int('limit must be an integer from 1 to 200.')
    .min(1, 'limit must be an integer from 1 to 200.')
    .max(200, 'limit must be an integer from 1 to 200.')
    .default(50)
    .meta({ description: 'How many menus at most.' }),
});

/** An operator missing from an answer. */
export const Incomplete = z
  .array(
    z.object({
      operator: z.enum(VENDORS),
      reason: z.string().meta({ description: 'Code of the failure.', examples: ['operator_timeout'] }),
      since: z.iso.datetime().meta({ description: 'When it was first asked without an answer, UTC.' }),
    }),
  )
  .meta({
    description: 'Operators whose restaurants have never been read, so that they could not be searched.',
  });

const Status = z.enum(['ok', 'degraded', 'down']);

/** Body of `/api/health`. */
export const Health = z
  .object({
    status: Status.meta({
      description:
        'ok: all can be read; degraded: questions are answered, if only from the cache; down: they cannot be, since nothing was ever read.',
    }),
    version: z.string().meta({ description: 'Version of this service.' }),
    time: z.iso.datetime().meta({ description: 'Now, UTC.' }),
    operators: z.array(
      z.object({
        vendor: z.enum(VENDORS),
        status: Status,
        lastSuccessAt: z.iso.datetime().nullable().meta({ description: 'Null until the first success.' }),
        retrying: z
          .array(
            z.object({
              what: z.enum(['restaurants', 'meals', 'menus', 'items', 'detail']),
              reason: z.string().meta({ description: 'Code of the failure.' }),
              since: z.iso.datetime().meta({ description: 'The first failure since it last worked, UTC.' }),
            }),
          )
          .meta({ description: 'What could not be read when it was last tried, and is tried again.' }),
        needsPerson: z
          .object({
            reason: z.enum(['login_refused']),
            since: z.iso
              .datetime()
              .meta({ description: 'The first refusal since the last login that worked, UTC.' }),
            nextTryAt: z.iso.datetime().meta({
              description: 'No login is tried before, UTC; with other credentials it is tried at once.',
            }),
          })
          .nullable()
          .meta({
            description:
              'What does not mend itself; null if nothing is. login_refused: the operator refuses the account, so renew its password or log in with it in the operator’s own app.',
          }),
        circuit: z.object({
          state: z.enum(['closed', 'open', 'half-open']).meta({
            description: 'open: the operator is left alone until retryAt; half-open: one read finds out.',
          }),
          failures: z.int().min(0).meta({ description: 'Failures of the operator in a row.' }),
          retryAt: z.iso.datetime().nullable(),
        }),
      }),
    ),
    store: z.enum(['ok', 'down']),
    prefetch: z
      .object({ done: z.int().min(0), total: z.int().min(0) })
      .optional()
      .meta({ description: 'How far reading the days ahead is; absent when nothing is being read.' }),
  })
  .meta({ id: 'Health', description: 'What works now.' });

/** One menu as `/proxy/dishes` returns it. */
export const DishItem = z
  .object({
    date: z.iso.date().meta({ description: 'Day in Asia/Seoul.' }),
    meal: z.string().meta({
      description:
        "1 breakfast, 2 lunch, 3 dinner, 4 late night, 5 snack, 6 dawn, or the operator's own code.",
      examples: ['2'],
    }),
    mealLabel: z.string().meta({ description: "The operator's own name of the meal." }),
    found: z
      .enum(['menu', 'dish'])
      .meta({ description: 'menu: the menu is named so; dish: it is among its dishes.' }),
    name: z.string().meta({ description: 'Name of the menu, text of the operator.' }),
    nameEn: z.string().optional(),
    corner: z.string().optional(),
    serving: z.enum(['take-in', 'take-out']),
    soldOut: z.boolean(),
    stale: z.boolean().meta({ description: 'From an earlier reading: it could not be read now.' }),
    dishes: z.array(z.string()).meta({ description: 'Names of its dishes, text of the operator.' }),
    caloriesKcal: z.number().optional(),
    proteinG: z.number().optional(),
    path: z.string().meta({ description: "Path of the day's page." }),
    restaurant: SearchItem,
  })
  .meta({ id: 'DishItem', description: 'A menu that has the dish.' });

/** Body of `/proxy/dishes`. */
export const Dishes = z
  .object({
    dishes: z.array(DishItem).meta({ description: 'By day; on each day menus named after it first.' }),
    total: z.int().min(0).meta({ description: 'How many menus have it, shown or not.' }),
    date: z.iso.date().optional().meta({ description: 'The day that was looked at; absent for all.' }),
    unreadDays: z.int().min(0).meta({
      description:
        'Days of restaurants that have not been read: more than 0 means that menus may be missing.',
    }),
    incomplete: Incomplete,
  })
  .meta({ id: 'Dishes', description: 'Where and when a dish is served, from the menus that were read.' });
