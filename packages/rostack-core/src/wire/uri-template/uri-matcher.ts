/// <reference path="./uri-templates.d.ts" />
import createUriTemplate from 'uri-templates';
import { encodeCharacter, type TemplateValue } from './expand-expression.ts';
import { parseTemplateParts } from './template-parts.ts';
import { parseUriTemplate } from './uri-template.ts';

/**
 * Values of a template's variables that expand to a URI, or undefined if there are none. URIs that differ only in percent-encoding
 * count as equal.
 */
export type UriMatcher = (uri: string) => Readonly<Record<string, TemplateValue>> | undefined;

const MAX_URI_LENGTH = 8_192;

/**
 * Reads the values of a URI template's variables out of URIs.
 * @throws UriTemplateError `invalid_uri_template`
 */
export function createUriMatcher(text: string): UriMatcher {
  const template = parseUriTemplate(text);
  const prefixed = parseTemplateParts(text).flatMap((part) =>
    part.kind === 'expression' ? part.variables.filter(({ maxLength }) => maxLength !== undefined) : [],
  );
  const library = createUriTemplate(text);
  return (uri) => {
    if (uri.length > MAX_URI_LENGTH || !uri.isWellFormed()) return undefined;
    const values = readValues(() => library.fromUri(uri, { strict: true }));
    // Only strings have a prefix.
    if (values === undefined || prefixed.some(({ name }) => typeof values[name] === 'object'))
      return undefined;
    return normalizeEncoding(template.expand(values)) === normalizeEncoding(uri) ? values : undefined;
  };
}

/** The library throws on malformed triplets and returns many shapes; anything but a template value does not match. */
function readValues(
  read: () => Record<string, unknown> | undefined,
): Record<string, TemplateValue> | undefined {
  let found: Record<string, unknown> | undefined;
  try {
    found = read();
  } catch {
    return undefined;
  }
  if (found === undefined) return undefined;
  const values: Record<string, TemplateValue> = {};
  for (const [name, value] of Object.entries(found)) {
    if (!isTemplateValue(value)) return undefined;
    values[name] = value;
  }
  return values;
}

function isTemplateValue(value: unknown): value is TemplateValue {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((item) => typeof item === 'string');
}

function normalizeEncoding(uri: string): string {
  return uri
    .replaceAll(/%[0-9A-Fa-f]{2}/g, (triplet) => {
      const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : triplet.toUpperCase();
    })
    .replaceAll(/[!'()*]/g, encodeCharacter);
}
