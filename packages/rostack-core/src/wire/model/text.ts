import { type BeyondRule, type Model, textOf } from './model.ts';
import {
  HTTPS_URL_PATTERN,
  URI_FORMAT,
  URI_PATTERN,
  URI_REFERENCE_FORMAT,
  URI_REFERENCE_PATTERN,
  WSS_URL_PATTERN,
} from './uri-pattern.ts';

// RFC 3339 section 5.6, with the right number of days in each month; no leap seconds.
const LEAP_DAY = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';
const DATE = `(?:${LEAP_DAY}|[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])))`;
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?';
const OFFSET = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** RFC 3339 without leap seconds, which JavaScript cannot read. */
export const DATE_TIME_PATTERN = new RegExp(`^${DATE}[Tt]${TIME}${OFFSET}$`, 'u');

// What validators that assert the format `date-time` accept (ajv-formats): also a space for the T, an offset without colon or
// minutes, and leap seconds.
const DATE_TIME_FORMAT = new RegExp(
  `^${DATE}[Tt\\s]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2})(?::?([0-9]{2}))?)$`,
  'u',
);

function hasDateTimeFormat(text: string): boolean {
  if (DATE_TIME_PATTERN.test(text)) return true;
  const [, hour = '', minute = '', second = '', sign, offsetHour = '0', offsetMinute = '0'] =
    DATE_TIME_FORMAT.exec(text) ?? [];
  if (second === '' || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  if (Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59) return true;
  const east = sign === '-' ? -1 : 1;
  const utcMinute = Number(minute) - east * Number(offsetMinute);
  const utcHour = Number(hour) - east * Number(offsetHour) - (utcMinute < 0 ? 1 : 0);
  return [23, -1].includes(utcHour) && [59, -1].includes(utcMinute) && Number(second) <= 60;
}

/** RFC 6901: every reference token starts with `/`, `~` occurs only in `~0` and `~1`; not the empty pointer. */
export const FIELD_POINTER_PATTERN = /^(?:\/(?:[^~/]|~[01])*)+$/u;

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";

/** RFC 9110 section 8.3.1: type, subtype, and parameters. */
export const MEDIA_TYPE_PATTERN = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\r\\n]*"))*$`,
  'u',
);

const urlOf = (scheme: 'https' | 'wss', usable: RegExp): Model<string> =>
  textOf({
    test: (text) => usable.test(text) || (text.startsWith(`${scheme}://`) && URI_FORMAT.test(text)),
    message: `must be an absolute ${scheme} URL`,
    beyond: {
      check: 'url_usable',
      is: usable,
      message: 'must have a host, a port of at most 5 digits if any, and no user information',
    },
  });

export const httpsUrl = urlOf('https', HTTPS_URL_PATTERN);
export const wssUrl = urlOf('wss', WSS_URL_PATTERN);

export const uri: Model<string> = textOf({
  test: (text) => URI_FORMAT.test(text),
  message: 'must be an absolute URI',
  beyond: { check: 'uri_valid', is: URI_PATTERN, message: 'must be an absolute URI (RFC 3986)' },
});

const reference = (beyond?: BeyondRule): Model<string> =>
  textOf({
    test: (text) => URI_REFERENCE_FORMAT.test(text),
    message: 'must be a URI reference',
    ...(beyond && { beyond }),
  });

/** As in the schemas of release 2026-08-12, whose problems may have any URI reference. */
export const uriReference: Model<string> = reference();

export const strictUriReference: Model<string> = reference({
  check: 'uri_reference_valid',
  is: URI_REFERENCE_PATTERN,
  message: 'must be a URI reference (RFC 3986)',
});

export const dateTime: Model<string> = textOf({
  test: hasDateTimeFormat,
  message: 'must be an RFC 3339 date and time with an offset',
  beyond: {
    check: 'date_time_valid',
    is: DATE_TIME_PATTERN,
    message: 'must be an RFC 3339 date and time with "T", offset and no leap second',
  },
});
