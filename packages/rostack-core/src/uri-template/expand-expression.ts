/// <reference path="./uri-templates.d.ts" />
import createUriTemplate from 'uri-templates';
import { type Expression, UriTemplateError } from './template-parts.ts';

/** A string, a list, or name-value pairs; undefined, an empty list and no pairs omit the variable. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>> | undefined;

export type TemplateValues = Readonly<Record<string, TemplateValue>>;

/** Operators whose values keep reserved characters and percent-encoded triplets (RFC 6570 sections 3.2.3 and 3.2.4). */
const RESERVED_OPERATORS: ReadonlySet<string> = new Set(['+', '#']);

/** The library encodes brackets, which reserved expansion keeps: a noncharacter replaces each for a while. */
const KEPT = [
  ['[', '\u{fdd0}'],
  [']', '\u{fdd1}'],
] as const;
const TRIPLET = /%([0-9A-Fa-f]{2})/g;
/** A private character replaces each triplet, so that a prefix modifier counts it once and never cuts it. */
const TRIPLET_BASE = 0xf_0000;
/** Values that have these characters themselves get them encoded first, as they would be in the end. */
const STAND_INS = /[\u{fdd0}\u{fdd1}\u{f0000}-\u{f00ff}]/gu;

/** Expands one expression. The library encodes and joins; the lines around it correct where it deviates from RFC 6570. */
export function createExpressionExpander({
  operator,
  variables,
}: Expression): (values: TemplateValues) => string {
  const isReserved = RESERVED_OPERATORS.has(operator);
  const list = variables.map(({ name, isExploded }) => `${name}${isExploded ? '*' : ''}`).join(',');
  const template = createUriTemplate(`{${operator}${list}}`);
  const protect = isReserved ? protectReserved : wellFormed;

  return (values) => {
    let index = -1;
    const text = template.fill((name) => {
      index += 1;
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      const maxLength = variables[index]?.maxLength;
      if (typeof value !== 'string') {
        if (value !== undefined && maxLength !== undefined) {
          throw new UriTemplateError(`${name}:${maxLength} takes a string: only strings have a prefix.`);
        }
        return mapStrings(value, protect);
      }
      return maxLength === undefined
        ? protect(value)
        : Array.from(protect(value)).slice(0, maxLength).join('');
    });
    if (isReserved) return releaseReserved(text);
    const encoded = text.replaceAll(/['()*]/g, encodeCharacter);
    // An empty value of `;` has no "=", in an exploded list either (RFC 6570 section 3.2.7).
    return operator === ';' ? encoded.replaceAll(/=(?=;|$)/g, '') : encoded;
  };
}

function mapStrings(value: Exclude<TemplateValue, string>, map: (text: string) => string): unknown {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item: string) => map(item));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, string]) => [map(name), map(item)]),
  );
}

function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new UriTemplateError('A value holds half of a surrogate pair.');
  return text;
}

function protectReserved(text: string): string {
  const encoded = wellFormed(text).replaceAll(STAND_INS, encodeURIComponent);
  const triplets = encoded.replaceAll(TRIPLET, (_, digits: string) =>
    String.fromCodePoint(TRIPLET_BASE + Number.parseInt(digits, 16)),
  );
  return KEPT.reduce((kept, [character, stand]) => kept.replaceAll(character, stand), triplets);
}

/** Brackets first: a restored triplet may look like the code of a bracket's replacement. */
function releaseReserved(text: string): string {
  const brackets = KEPT.reduce(
    (kept, [character, stand]) => kept.replaceAll(encodeURIComponent(stand), character),
    text,
  );
  return brackets.replaceAll(/%F3%B0%8[0-3]%[89AB][0-9A-F]/g, (encoded) => {
    const byte = (decodeURIComponent(encoded).codePointAt(0) ?? TRIPLET_BASE) - TRIPLET_BASE;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** Percent-encodes an ASCII character that `encodeURIComponent` leaves alone. */
export function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
