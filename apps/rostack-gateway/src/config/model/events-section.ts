import { z } from 'zod';
import { flag } from './values.ts';

/** How events travel. */
export const eventsSection = z
  .strictObject({
    compact_json: flag('Offers the compact-json encoding of events.').default(true),
    compression: flag('Offers permessage-deflate; costs much memory and time per connection.').default(false),
  })
  .transform(({ compact_json: compactJson, compression }) => ({ compactJson, compression }));
