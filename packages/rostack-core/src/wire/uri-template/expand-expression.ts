import { type Expression, UriTemplateError, type VariableSpecification } from './template-parts.ts';

/** A string, a list, or name-value pairs; undefined, an empty list and no pairs omit the variable. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>> | undefined;

/** Values of variables by name; variables without one are left out. */
export type TemplateValues = Readonly<Record<string, TemplateValue>>;

/** How an operator expands (RFC 6570 appendix A). */
interface Expansion {
  readonly first: string;
  readonly separator: string;
  /** What follows the name of a variable whose value is empty; undefined if values come without names. */
  readonly ifEmpty: '' | '=' | undefined;
  /** Reserved characters and percent-encoded triplets stay as they are. */
  readonly isReserved: boolean;
}

const expansion = (
  first: string,
  separator: string,
  ifEmpty?: Expansion['ifEmpty'],
  isReserved = false,
): Expansion => ({ first, separator, ifEmpty, isReserved });

const EXPANSIONS: Readonly<Record<string, Expansion>> = {
  '': expansion('', ','),
  '+': expansion('', ',', undefined, true),
  '#': expansion('#', ',', undefined, true),
  '.': expansion('.', '.'),
  '/': expansion('/', '/'),
  ';': expansion(';', ';', ''),
  '?': expansion('?', '&', '='),
  '&': expansion('&', '&', '='),
};

/** What reserved expansion keeps: a triplet, which a prefix modifier counts once, or a reserved or unreserved character. */
const UNIT = /%[0-9A-Fa-f]{2}|[\s\S]/gu;
const KEPT = /^(?:%..|[\w.~:/?#[\]@!$&'()*+,;=-])$/;

/** Expands one expression (RFC 6570 section 3.2). */
export function createExpressionExpander({
  operator,
  variables,
}: Expression): (values: TemplateValues) => string {
  const rules = EXPANSIONS[operator] ?? expansion('', ',');
  return (values) => {
    const texts = variables.flatMap((variable) => {
      const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
      return value === undefined ? [] : expandVariable(rules, variable, value);
    });
    return texts.length === 0 ? '' : rules.first + texts.join(rules.separator);
  };
}

/** What the variable adds to the expression, each separated from the next; nothing for an empty list or no pairs. */
function expandVariable(
  { ifEmpty, isReserved }: Expansion,
  { name, maxLength, isExploded }: VariableSpecification,
  value: Exclude<TemplateValue, undefined>,
): readonly string[] {
  const encode = (text: string): string => encodeValue(text, isReserved);
  const named = (key: string, text: string): string =>
    ifEmpty === undefined ? text : `${key}${text === '' ? ifEmpty : `=${text}`}`;
  if (typeof value === 'string') return [named(name, encode(prefixOf(value, maxLength, isReserved)))];
  if (maxLength !== undefined) {
    throw new UriTemplateError(`${name}:${maxLength} takes a string: only strings have a prefix.`);
  }
  if (Array.isArray(value)) {
    const items = value.map(encode);
    if (isExploded) return items.map((item) => named(name, item));
    return items.length === 0 ? [] : [named(name, items.join(','))];
  }
  const pairs = Object.entries(value).map(([key, text]: [string, string]) => [encode(key), encode(text)]);
  if (!isExploded) return pairs.length === 0 ? [] : [named(name, pairs.flat().join(','))];
  return pairs.map(([key = '', text = '']) => (ifEmpty === undefined ? `${key}=${text}` : named(key, text)));
}

function prefixOf(text: string, maxLength: number | undefined, isReserved: boolean): string {
  if (maxLength === undefined) return text;
  const characters = isReserved ? (text.match(UNIT) ?? []) : Array.from(text);
  return characters.slice(0, maxLength).join('');
}

function encodeValue(text: string, isReserved: boolean): string {
  if (!text.isWellFormed()) throw new UriTemplateError('A value contains half of a surrogate pair.');
  return isReserved
    ? text.replaceAll(UNIT, (unit) => (KEPT.test(unit) ? unit : encodeURIComponent(unit)))
    : encodeURIComponent(text).replaceAll(/[!'()*]/g, encodeCharacter);
}

/** Percent-encodes an ASCII character that `encodeURIComponent` leaves alone. */
export function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
