import { createExpressionExpander, type TemplateValues } from './expand-expression.ts';
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
}

const MAX_TEMPLATE_LENGTH = 8_192;

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
  const expand = (values: TemplateValues): string => writers.map((write) => write(values)).join('');
  return { text, variables: [...variables], expand };
}

/** Percent-encodes characters that a URI cannot have, but not triplets (RFC 6570 section 3.1). */
function encodeLiteral(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters));
}
