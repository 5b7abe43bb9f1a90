/** The part of the web platform's URL that is used here; Node, browsers and edge runtimes all have it. */
declare const URL: {
  new (reference: string, base?: string): { readonly href: string };
  canParse(reference: string, base?: string): boolean;
};

/** A URI reference resolved against a base (RFC 3986 section 5); undefined when that makes no URI. */
export const resolveUri = (reference: string, base: string): string | undefined =>
  URL.canParse(reference, base) ? new URL(reference, base).href : undefined;

/** A URI in two: what stands before `#`, and the percent-decoded fragment (empty when there is none). */
export function splitFragment(uri: string): { readonly resource: string; readonly fragment: string } {
  const hash = uri.indexOf('#');
  if (hash === -1) return { resource: uri, fragment: '' };
  try {
    return { resource: uri.slice(0, hash), fragment: decodeURIComponent(uri.slice(hash + 1)) };
  } catch {
    return { resource: uri.slice(0, hash), fragment: uri.slice(hash + 1) };
  }
}
