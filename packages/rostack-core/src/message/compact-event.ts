import { z } from 'zod';
import { annotate } from '../model/annotations.ts';
import { httpsUrl, nonEmpty } from '../model/text.ts';

/** 8 to 10 positions; data without a URL needs `null` at position eight, counted from zero. */
export const compactEventModel = annotate(
  z.tuple([
    z.literal('e'),
    nonEmpty, // subscription_id
    nonEmpty, // event_id
    nonEmpty, // cursor
    z.int().min(0), // occurred_at in milliseconds since 1970-01-01T00:00:00Z
    nonEmpty, // event_type
    nonEmpty, // resource_id
    nonEmpty, // resource_version
    httpsUrl.nullable().optional(), // detail_url
    z.unknown().optional(), // data
  ]),
  { id: 'compact-event' },
);
