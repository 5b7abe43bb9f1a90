import { preferredLanguage } from './language.ts';
import { linkOrigin } from './origin.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import type { Site } from './site.ts';

/** The request fields that choose among the forms of one page. */
export interface ChoosingFields {
  readonly accept: string | undefined;
  readonly acceptLanguage: string | undefined;
  readonly host: string | undefined;
}

type OriginRules = Pick<Site, 'publicUrl' | 'ownUrl'>;

/** Names a kept page: form, language and origin, then its address. @param target path and query as our links spell them */
export function pageKey(rules: OriginRules, fields: ChoosingFields, target: string): string {
  const form = prefersMarkdown(fields.accept) ? 'md' : 'html';
  return `${form} ${preferredLanguage(fields.acceptLanguage)} ${linkOrigin(rules, fields.host)}${target}`;
}

/** Names a kept feed or document: these are the same whatever a client prefers. */
export function documentKey(rules: OriginRules, host: string | undefined, target: string): string {
  return `document ${linkOrigin(rules, host)}${target}`;
}

/** The address with the language that it names, which comes last in our links. */
export function withLanguage(target: string, language: string | undefined): string {
  if (language === undefined) return target;
  return `${target}${target.includes('?') ? '&' : '?'}lang=${language}`;
}
