import { MenuError } from '../../domain/menu-error.ts';
import { type PostMessage, type PostService, postBody } from './post-services.ts';

const TIMEOUT_MS = 10_000;
/** Of an answer, which is only read so that a refusal can be told. */
const MAX_ANSWER_BYTES = 4_096;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of a webhook, which is a secret: no message of ours contains it.
 *
 * @throws MenuError `invalid_argument`
 */
export function parseWebhookUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null) throw new MenuError('invalid_argument', 'The webhook is not a URL.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    throw new MenuError('invalid_argument', 'The webhook must be an https URL.');
  return url;
}

/** Why a message was not taken; undefined when it was. Never contains the address. */
export async function postToWebhook(
  service: PostService,
  url: URL,
  message: PostMessage,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: postBody(service, message),
      // A redirect would carry the message to where nobody asked for it.
      redirect: 'manual',
      signal,
    });
    const answer = await firstBytes(response);
    if (response.ok && !refuses(answer)) return undefined;
    const wait = response.headers.get('retry-after');
    const later = wait !== null && /^\d{1,6}$/.test(wait) ? `; it asks to wait ${wait} s` : '';
    return `The webhook refused the message (HTTP ${response.status}${later}).`;
  } catch (error) {
    if (signal.aborted) return `The webhook did not answer within ${TIMEOUT_MS / 1000} s.`;
    return `The webhook could not be reached (${causeOf(error)}).`;
  }
}

/** KakaoWork answers 200 to what it refuses. */
function refuses(answer: string): boolean {
  return /"success"\s*:\s*false/.test(answer);
}

async function firstBytes(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    // Leaving the loop ends the answer.
    if (text.length >= MAX_ANSWER_BYTES) break;
  }
  return text;
}

/** The code of a failure of the network; messages may contain the address. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? code : 'network error';
}
