import { isUtf8 } from 'node:buffer';
import { OperatorError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';

/** The platform's `fetch`, or something with the same signature. */
export type Fetch = typeof globalThis.fetch;

export interface SendOptions {
  readonly vendor: Vendor;
  readonly fetch: Fetch;
  /** For the whole exchange, body included. */
  readonly timeoutMs: number;
  /** Largest body, after decompression. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
  /** Largest body of this answer. @default that of all answers */
  readonly maxAnswerBytes?: number;
}

const MAX_REDIRECTS = 3;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Whether the body is UTF-8, as JSON has to be; pages of old servers are read as EUC-KR. */
  readonly isUtf8: boolean;
}

/**
 * Sends one request and reads its body within the limits. A GET follows redirects on its own origin, except to a login
 * page: such a redirect is the answer.
 * @throws OperatorError `aborted`, `operator_timeout`, `operator_unreachable`, `operator_answer_too_large`
 */
export async function sendRequest(
  url: string,
  request: HttpRequest,
  options: SendOptions,
): Promise<HttpAnswer> {
  const { vendor, signal } = options;
  const ending = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    ending.abort();
  }, options.timeoutMs);
  const onAbort = () => ending.abort();
  if (signal?.aborted === true) ending.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  // Raced, so that the limits hold even when the given fetch ignores its signal.
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
    if (ending.signal.aborted) reject(new Error('ended'));
  });
  try {
    return await Promise.race([exchange(url, request, ending.signal, options), ended]);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if (signal?.aborted === true)
      throw new OperatorError(vendor, 'aborted', 'The read was ended by its caller.');
    if (timedOut) {
      throw new OperatorError(vendor, 'operator_timeout', `No answer within ${options.timeoutMs} ms.`);
    }
    const reason = codeIn(error);
    const message = `The operator could not be reached${reason === undefined ? '' : ` (${reason})`}.`;
    throw new OperatorError(vendor, 'operator_unreachable', message, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    ending.abort();
  }
}

/** The code of what went wrong, such as `CERT_HAS_EXPIRED`: fetch wraps it in an error that says nothing. */
function codeIn(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
}

async function exchange(
  url: string,
  request: HttpRequest,
  signal: AbortSignal,
  options: SendOptions,
): Promise<HttpAnswer> {
  const { maxAnswerBytes = options.maxBytes, ...init } = request;
  let target = url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await options.fetch(target, { ...init, redirect: 'manual', signal });
    const next = request.method === 'POST' ? undefined : redirectOf(response, target);
    if (next === undefined || redirects === MAX_REDIRECTS) {
      const body = await readBody(response, { ...options, maxBytes: maxAnswerBytes });
      return { status: response.status, headers: response.headers, ...body };
    }
    await response.body?.cancel();
    target = next;
  }
}

/** Where a redirect leads, if it may be followed: other origins must not see the session. */
function redirectOf({ status, headers }: Response, from: string): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  return to.origin === new URL(from).origin && !to.pathname.endsWith('/login') ? to.href : undefined;
}

async function readBody(
  response: Response,
  options: SendOptions,
): Promise<Pick<HttpAnswer, 'body' | 'isUtf8'>> {
  const tooLarge = () =>
    new OperatorError(
      options.vendor,
      'operator_answer_too_large',
      `The answer is larger than ${options.maxBytes} bytes.`,
    );
  if (Number(response.headers.get('content-length') ?? 0) > options.maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > options.maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, size);
  const utf8 = isUtf8(bytes);
  return { body: new TextDecoder(utf8 ? 'utf-8' : 'euc-kr').decode(bytes), isUtf8: utf8 };
}
