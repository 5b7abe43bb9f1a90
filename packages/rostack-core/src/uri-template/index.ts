export type { TemplateValue, TemplateValues } from './expand-expression.ts';
export { parseUriTemplate, type UriTemplate } from './uri-template.ts';
export { UriTemplateError } from './uri-template-error.ts';
