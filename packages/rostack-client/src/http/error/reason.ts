import { REASONS } from '#reasons';

/** What to do when there is HTTP, but no WebSocket. */
export const UPGRADES =
  'a proxy in front of the server may not pass upgrades on; `npx rostack-cli doctor` says more';

/**
 * Why something failed, from the end of the chain of causes, because `fetch` itself only says that it failed. For a known code it also
 * says what to do; otherwise it is the message of the platform.
 */
export function reasonOf(error: unknown): string {
  const root = rootOf(error);
  const code = codeOf(root);
  const known = code === undefined ? undefined : REASONS[code];
  if (known !== undefined) return `${known} (${code})`;
  const message = root instanceof Error ? root.message : String(root);
  if (IN_BROWSERS.test(message))
    return 'no answer, or not for this page: check the address, and whether the server allows this origin (CORS)';
  const text = message === '' ? (code ?? 'no reason is known') : message;
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}

/** This is all that Chromium, Firefox and Safari say. */
const IN_BROWSERS = /^(?:Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed)$/;

/** Platforms nest causes, and put the causes for several addresses into one error. */
function rootOf(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 8) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0], depth + 1);
  return error.cause === undefined ? error : rootOf(error.cause, depth + 1);
}

function codeOf(error: unknown): string | undefined {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
