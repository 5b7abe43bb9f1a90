import type { ComponentChildren } from 'preact';
import { PROBLEM_ADVICE, WEBSOCKET_ADVICE } from '../../description/words.ts';

/** A failure in words. */
export interface FailureText {
  readonly title: string;
  readonly advice: string;
  /** What the server or the client said, with its code. */
  readonly detail: string | undefined;
}

const TITLES: Readonly<Record<string, string>> = {
  'authentication-required': 'The server does not accept this token.',
  authentication_failed: 'The server does not accept this token.',
  'permission-denied': 'This token does not allow it.',
  permission_denied: 'This token does not allow it.',
  permission_revoked: 'This token does not allow it any more.',
  network_error: 'The server cannot be reached.',
  request_timeout: 'The server took too long to answer.',
  page_cursor_expired: 'This listing is too old to go on.',
  discovery_outdated: 'The server has changed since this page was loaded.',
  response_too_large: 'The answer is too large.',
};

const ADVICE: Readonly<Record<string, string>> = {
  ...PROBLEM_ADVICE,
  ...WEBSOCKET_ADVICE,
  'authentication-required': 'It is wrong, expired or revoked. Paste another one, or ask the operator.',
  authentication_failed: 'It is wrong, expired or revoked. Paste another one, or ask the operator.',
  network_error: 'Check that it runs and that this computer is online, then try again.',
  request_timeout: 'Try again in a while.',
  page_cursor_expired: 'A listing is kept for 15 minutes. Load it again from the first page.',
  discovery_outdated: 'Load the page again.',
  response_too_large: 'Choose a smaller page size.',
  invalid_options: 'Correct what was entered.',
};

/** `rate-limited` as `Rate limited.`: codes consist of words. */
const inWords = (code: string): string =>
  `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll(/[-_]/g, ' ')}.`;

/** A failure of rostack-client in words: what happened, and what to do. */
export function toFailureText(error: unknown): FailureText {
  if (!(error instanceof Error))
    return { title: 'This did not work.', advice: 'Try again.', detail: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return {
    title: TITLES[code] ?? (code === '' ? 'This did not work.' : inWords(code)),
    advice: ADVICE[code] ?? 'Load the page again, and tell the operator if it stays so.',
    detail: error.message,
  };
}

/** Shows what went wrong and what to do about it. */
export function Failure({
  failure,
  children,
}: {
  readonly failure: FailureText;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{failure.title}</strong> {failure.advice}
      </p>
      {failure.detail === undefined ? null : (
        <p class="detail">
          <code>{failure.detail}</code>
        </p>
      )}
      {children}
    </div>
  );
}
