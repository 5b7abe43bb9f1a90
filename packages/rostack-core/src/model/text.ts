import { z } from 'zod';
import { annotate, notEmpty } from './constraints.ts';
import {
  HTTPS_TEMPLATE_PATTERN,
  HTTPS_URL_PATTERN,
  URI_PATTERN,
  URI_REFERENCE_PATTERN,
  WSS_URL_PATTERN,
} from './uri-pattern.ts';

// RFC 3339 section 5.6, with the right number of days in each month; no leap seconds.
const LEAP_DAY = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';
const DATE = `(?:${LEAP_DAY}|[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])))`;
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?';
const OFFSET = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** RFC 6901: every reference token starts with `/`, `~` occurs only in `~0` and `~1`; not the empty pointer. */
export const FIELD_POINTER_PATTERN = /^(?:\/(?:[^~/]|~[01])*)+$/u;

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";

/** RFC 9110 section 8.3.1: type, subtype, and parameters. */
const MEDIA_TYPE_PATTERN = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\r\\n]*"))*$`,
  'u',
);

export const nonEmpty = z.string().check(notEmpty('must not be empty'));

export const httpsUrl = annotate(
  z.string().regex(HTTPS_URL_PATTERN, 'must be an absolute https URL without user information'),
  { id: 'https-url', format: 'uri' },
);

export const wssUrl = annotate(
  z.string().regex(WSS_URL_PATTERN, 'must be an absolute wss URL without user information'),
  { id: 'wss-url', format: 'uri' },
);

export const uri = annotate(z.string().regex(URI_PATTERN, 'must be an absolute URI'), {
  id: 'uri',
  format: 'uri',
});

export const uriReference = annotate(z.string().regex(URI_REFERENCE_PATTERN, 'must be a URI reference'), {
  id: 'uri-reference',
  format: 'uri-reference',
});

export const httpsTemplate = annotate(
  z.string().regex(HTTPS_TEMPLATE_PATTERN, 'must be an https URI template (RFC 6570) with a literal origin'),
  { id: 'https-uri-template' },
);

export const dateTime = annotate(
  z
    .string()
    .regex(
      new RegExp(`^${DATE}[Tt]${TIME}${OFFSET}$`, 'u'),
      'must be an RFC 3339 date and time with an offset',
    ),
  { id: 'date-time', format: 'date-time' },
);

export const fieldPointer = annotate(
  z.string().regex(FIELD_POINTER_PATTERN, 'must be a JSON Pointer that starts with "/" (RFC 6901)'),
  { id: 'field-pointer' },
);

export const mediaType = z
  .string()
  .regex(MEDIA_TYPE_PATTERN, 'must be a media type such as application/json');

/** A whole number of milliseconds, at least `min`. */
export const milliseconds = (min: number): z.ZodInt =>
  z.int(`must be a whole number of milliseconds`).min(min, `must be at least ${min} ms`);
