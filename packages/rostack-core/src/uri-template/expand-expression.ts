/// <reference path="./uri-templates.d.ts" />
import createUriTemplate from 'uri-templates';
import type { Expression } from './template-parts.ts';

/** A string, a list, or name-value pairs; undefined, an empty list and no pairs leave the variable out. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>> | undefined;

export type TemplateValues = Readonly<Record<string, TemplateValue>>;

/** Operators whose values keep reserved characters and percent-encoded triplets (RFC 6570 sections 3.2.3 and 3.2.4). */
const RESERVED_OPERATORS: ReadonlySet<string> = new Set(['+', '#']);

/** What the library would encode though reserved expansion keeps it: a noncharacter stands in for each bracket. */
const KEPT = [
  ['[', '\u{fdd0}'],
  [']', '\u{fdd1}'],
] as const;
const TRIPLET = /%([0-9A-Fa-f]{2})/g;
/** A private character stands in for each triplet, so that a prefix modifier counts it once and never cuts it. */
const TRIPLET_BASE = 0xf_0000;

/** Expands one expression. The library encodes and joins; the lines around it mend where it strays from RFC 6570. */
export function createExpressionExpander({
  operator,
  variables,
}: Expression): (values: TemplateValues) => string {
  const isReserved = RESERVED_OPERATORS.has(operator);
  const list = variables.map(({ name, isExploded }) => `${name}${isExploded ? '*' : ''}`).join(',');
  const template = createUriTemplate(`{${operator}${list}}`);
  const protect = isReserved ? protectReserved : (text: string) => text;

  return (values) => {
    let index = -1;
    const text = template.fill((name) => {
      index += 1;
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (typeof value !== 'string') return mapStrings(value, protect);
      const maxLength = variables[index]?.maxLength;
      return maxLength === undefined
        ? protect(value)
        : Array.from(protect(value)).slice(0, maxLength).join('');
    });
    return isReserved ? releaseReserved(text) : text.replaceAll(/['()*]/g, encodeCharacter);
  };
}

function mapStrings(value: Exclude<TemplateValue, string>, map: (text: string) => string): unknown {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item: string) => map(item));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, string]) => [map(name), map(item)]),
  );
}

function protectReserved(text: string): string {
  const triplets = text.replaceAll(TRIPLET, (_, digits: string) =>
    String.fromCodePoint(TRIPLET_BASE + Number.parseInt(digits, 16)),
  );
  return KEPT.reduce((kept, [character, stand]) => kept.replaceAll(character, stand), triplets);
}

function releaseReserved(text: string): string {
  const triplets = text.replaceAll(/%F3%B0%8[0-3]%[89AB][0-9A-F]/g, (encoded) => {
    const byte = (decodeURIComponent(encoded).codePointAt(0) ?? TRIPLET_BASE) - TRIPLET_BASE;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return KEPT.reduce(
    (kept, [character, stand]) => kept.replaceAll(encodeURIComponent(stand), character),
    triplets,
  );
}

/** Percent-encodes an ASCII character that `encodeURIComponent` leaves alone. */
export function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
