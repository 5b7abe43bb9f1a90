/// <reference path="./uri-templates.d.ts" />
import createUriTemplate from 'uri-templates';
import {
  createExpressionExpander,
  encodeCharacter,
  type TemplateValue,
  type TemplateValues,
} from './expand-expression.ts';
import { parseTemplateParts, UriTemplateError } from './template-parts.ts';

/** A URI template (RFC 6570, level 4). */
export interface UriTemplate {
  /** The template as written. */
  readonly text: string;
  /** Names of the variables in order of appearance, without repetition. */
  readonly variables: readonly string[];
  /**
   * Expands the template to a URI; a variable without a value is omitted.
   * @throws UriTemplateError `invalid_uri_template` for half of a surrogate pair, and for a list or pairs if the template
   *   asks for a prefix
   */
  expand(values: TemplateValues): string;
  /**
   * Values that expand to this URI, or undefined if there are none. URIs that differ only in percent-encoding count as
   * equal.
   */
  match(uri: string): Readonly<Record<string, TemplateValue>> | undefined;
}

const MAX_TEMPLATE_LENGTH = 8_192;
const MAX_URI_LENGTH = 8_192;

/**
 * Parses a URI template of at most 8,192 characters by the strict grammar of RFC 6570 section 2.
 * @throws UriTemplateError `invalid_uri_template`
 */
export function parseUriTemplate(text: string): UriTemplate {
  if (text.length > MAX_TEMPLATE_LENGTH) {
    throw new UriTemplateError(`The template is longer than ${MAX_TEMPLATE_LENGTH} characters.`);
  }
  const parts = parseTemplateParts(text);
  const writers = parts.map((part) => {
    if (part.kind === 'expression') return createExpressionExpander(part);
    const literal = encodeLiteral(part.text);
    return () => literal;
  });
  const variables = new Set(
    parts.flatMap((part) => (part.kind === 'expression' ? part.variables.map(({ name }) => name) : [])),
  );
  const matcher = createUriTemplate(text);
  const expand = (values: TemplateValues) => writers.map((write) => write(values)).join('');

  return {
    text,
    variables: [...variables],
    expand,
    match(uri) {
      if (uri.length > MAX_URI_LENGTH || !uri.isWellFormed()) return undefined;
      const values = readValues(() => matcher.fromUri(uri, { strict: true }));
      const hasPrefixOfList = parts.some(
        (part) =>
          part.kind === 'expression' &&
          part.variables.some(
            ({ name, maxLength }) => maxLength !== undefined && typeof values?.[name] === 'object',
          ),
      );
      if (values === undefined || hasPrefixOfList) return undefined;
      return normalizeEncoding(expand(values)) === normalizeEncoding(uri) ? values : undefined;
    },
  };
}

/** Percent-encodes characters that a URI cannot have, but not triplets (RFC 6570 section 3.1). */
function encodeLiteral(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters));
}

/** The library throws on malformed triplets and returns many shapes; anything but a template value is no match. */
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
