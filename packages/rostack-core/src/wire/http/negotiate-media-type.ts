const MAX_FIELD_LENGTH = 4_096;

/** token of RFC 9110 section 5.6.2 */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^(${TOKEN})/(${TOKEN})$`);
/** weight of RFC 9110 section 12.4.2 */
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const PARAMETER = new RegExp(`^(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")$`);

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** 0 to 1 */
  readonly quality: number;
}

/**
 * Chooses the media type that an `Accept` field prefers: highest quality first, then the order of `available`. An empty
 * field accepts everything; malformed parts are ignored.
 * @param available media types in the server's order of preference; parameters such as `;profile=x` count,
 *   `;charset=utf-8` does not
 * @returns undefined when nothing available is acceptable
 * @see RFC 9110 section 12.5.1
 */
export function negotiateMediaType<MediaType extends string>(
  accept: string,
  available: readonly MediaType[],
): MediaType | undefined {
  if (accept.length > MAX_FIELD_LENGTH) return undefined;
  if (accept.trim() === '') return available[0];
  const ranges = splitOutsideQuotes(accept, ',').flatMap((text) => parseRange(text, true) ?? []);
  let best: MediaType | undefined;
  let bestQuality = 0;
  for (const candidate of available) {
    const quality = qualityOf(candidate, ranges);
    if (quality > bestQuality) {
      best = candidate;
      bestQuality = quality;
    }
  }
  return best;
}

/** The most specific range that covers a type decides (RFC 9110 section 12.5.1). */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const wanted = parseRange(mediaType, false);
  if (wanted === undefined) return 0;
  let quality = 0;
  let best = -1;
  for (const range of ranges) {
    const specificity = specificityOf(range, wanted);
    if (specificity > best) {
      best = specificity;
      quality = range.quality;
    }
  }
  return quality;
}

/** -1: not covered; 0: all types; 1: all subtypes; 2 and more: the type itself, plus one for each parameter. */
function specificityOf(range: MediaRange, wanted: MediaRange): number {
  if (range.type === '*') return 0;
  if (range.type !== wanted.type) return -1;
  if (range.subtype === '*') return 1;
  if (range.subtype !== wanted.subtype) return -1;
  for (const [name, value] of range.parameters) {
    if (wanted.parameters.get(name) !== value) return -1;
  }
  return 2 + range.parameters.size;
}

function parseRange(text: string, isWeighted: boolean): MediaRange | undefined {
  const [name = '', ...rest] = splitOutsideQuotes(text, ';').map((part) => part.trim());
  const [, type = '', subtype = ''] = MEDIA_TYPE.exec(name.toLowerCase()) ?? [];
  if (type === '' || (type === '*' && subtype !== '*')) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const part of rest) {
    if (part === '') continue;
    const [, key = '', value = ''] = PARAMETER.exec(part) ?? [];
    if (key === '') return undefined;
    if (isWeighted && key.toLowerCase() === 'q') {
      if (!QVALUE.test(value)) return undefined;
      quality = Number(value);
      break;
    }
    // Clients ask for `application/json; charset=utf-8`; everything here is UTF-8 anyway.
    if (key.toLowerCase() === 'charset' && unquote(value).toLowerCase() === 'utf-8') continue;
    parameters.set(key.toLowerCase(), unquote(value));
  }
  return { type, subtype, parameters, quality };
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isQuoted && character === '\\') index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
