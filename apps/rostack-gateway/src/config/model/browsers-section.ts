import { z } from 'zod';
import { duration, value } from './values.ts';

const isOrigin = (candidate: string) => URL.canParse(candidate) && new URL(candidate).origin === candidate;
const origins = (description: string) =>
  value(
    z.union([
      z.literal('*'),
      z.array(
        value(z.string().refine(isOrigin), {
          write: 'an origin: scheme, host and port without a path, such as https://app.example',
        }),
      ),
    ]),
    { description, write: '"*" or a list of origins, such as [https://app.example]' },
  );

/** What pages in browsers may do. */
export const browsersSection = z
  .strictObject({
    cors_origins: origins('Origins whose pages may read answers of the JSON API.').default('*'),
    cors_max_age: duration('0s', '1d', "How long a browser keeps a preflight's answer.").prefault('10m'),
    websocket_origins: origins('Origins whose pages may open a WebSocket.').default('*'),
  })
  .transform((section) => ({
    corsOrigins: section.cors_origins,
    corsMaxAgeMs: section.cors_max_age,
    websocketOrigins: section.websocket_origins,
  }));
