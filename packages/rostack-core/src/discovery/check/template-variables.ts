/** A variable of a URI template and whether a URL without it would be another place, not the same one with less asked. */
interface TemplateVariable {
  readonly name: string;
  /** Cut by a prefix modifier, so that the value does not survive (RFC 6570 section 2.4.1). */
  readonly truncated: boolean;
  /** False inside `{?...}` and `{&...}`: query parameters may be left out. */
  readonly required: boolean;
}

/** The variables of a template that keeps the grammar of RFC 6570, in order. */
export function templateVariables(template: string): TemplateVariable[] {
  return [...template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)].flatMap(([, operator = '', list = '']) =>
    list.split(',').map((specification) => ({
      name: specification.replace(/(?::\d+|\*)$/, ''),
      truncated: /:\d+$/.test(specification),
      required: operator !== '?' && operator !== '&',
    })),
  );
}
