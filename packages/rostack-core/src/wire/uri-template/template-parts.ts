import { defineError } from '../../text/define-error.ts';
/** A text is not a URI template, or values do not fit one; the message says where and why. */
export class UriTemplateError extends defineError('UriTemplateError', 'invalid_uri_template', false) {}

/** One variable of an expression (RFC 6570 section 2.3 and 2.4). */
export interface VariableSpecification {
  readonly name: string;
  /** Prefix modifier: at most this many characters of the value are used. */
  readonly maxLength: number | undefined;
  /** Explode modifier. */
  readonly isExploded: boolean;
}

export interface Literal {
  readonly kind: 'literal';
  readonly text: string;
}

export interface Expression {
  readonly kind: 'expression';
  /** `''` for simple expansion. */
  readonly operator: string;
  readonly variables: readonly VariableSpecification[];
}

export type TemplatePart = Literal | Expression;

/** literals of RFC 6570 section 2.1, with every character from U+00A0 on, except surrogates, for ucschar and iprivate */
const LITERALS =
  /^(?:[\x21\x23\x24\x26\x28-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e\u{a0}-\u{d7ff}\u{e000}-\u{10ffff}]|%[0-9A-Fa-f]{2})*$/u;
/** operator of RFC 6570 section 2.2; `= , ! @ |` are reserved and rejected */
const EXPRESSION = /^([+#./;?&]?)([^+#./;?&=,!@|].*)$/;
/** varname and modifier of RFC 6570 sections 2.3 and 2.4 */
const VARSPEC = /^((?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*)(?::([1-9]\d{0,3})|(\*))?$/;

/** Splits a template by the grammar of RFC 6570 section 2. @throws UriTemplateError `invalid_uri_template` */
export function parseTemplateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let index = 0;
  while (index < template.length) {
    const open = template.indexOf('{', index);
    const literal = template.slice(index, open === -1 ? undefined : open);
    if (!LITERALS.test(literal))
      throw new UriTemplateError(`A character of ${JSON.stringify(literal)} must be percent-encoded.`);
    if (literal !== '') parts.push({ kind: 'literal', text: literal });
    if (open === -1) break;
    const close = template.indexOf('}', open);
    if (close === -1)
      throw new UriTemplateError(`The expression that begins at ${open} has no closing brace.`);
    parts.push(parseExpression(template.slice(open, close + 1)));
    index = close + 1;
  }
  return parts;
}

function parseExpression(text: string): Expression {
  const [, operator, list] = EXPRESSION.exec(text.slice(1, -1)) ?? [];
  if (operator === undefined || list === undefined)
    throw new UriTemplateError(`${text} is not an expression.`);
  const variables = list.split(',').map((specification) => {
    const [, name, maxLength, explode] = VARSPEC.exec(specification) ?? [];
    if (name === undefined)
      throw new UriTemplateError(`${text} has a malformed variable: ${JSON.stringify(specification)}.`);
    return {
      name,
      maxLength: maxLength === undefined ? undefined : Number(maxLength),
      isExploded: explode !== undefined,
    };
  });
  return { kind: 'expression', operator, variables };
}
