import { parseTemplateParts } from '../../uri-template/template-parts.ts';

/** A variable of a URI template and whether a URL without it would be another place, not the same one with less asked. */
interface TemplateVariable {
  readonly name: string;
  /** Cut by a prefix modifier, so that the value does not survive (RFC 6570 section 2.4.1). */
  readonly truncated: boolean;
  /** False inside `{?...}` and `{&...}`: query parameters may be left out. */
  readonly required: boolean;
}

/** The variables of a template, in order; none where it breaks the grammar of RFC 6570, which the schema finds. */
export function templateVariables(template: string): TemplateVariable[] {
  let parts: ReturnType<typeof parseTemplateParts>;
  try {
    parts = parseTemplateParts(template);
  } catch {
    return [];
  }
  return parts.flatMap((part) => {
    if (part.kind === 'literal') return [];
    const required = part.operator !== '?' && part.operator !== '&';
    return part.variables.map(({ name, maxLength }) => ({
      name,
      truncated: maxLength !== undefined,
      required,
    }));
  });
}
