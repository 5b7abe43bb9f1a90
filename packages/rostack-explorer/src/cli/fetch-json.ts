import { hasCode, parseStrictJson, SHARED_TOKEN_SCHEME, type StrictJsonError } from 'rostack-core';
import { OpenError } from './open-error.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 10_485_760;

const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/;

/**
 * Gets a JSON value; follows no redirect. The token is only sent if the server asks for credentials.
 * @throws OpenError `unreachable`, `access_refused`, `not_rostack`
 */
export async function fetchJson(url: URL, token: string | undefined): Promise<unknown> {
  const shown = `${url.origin}${url.pathname}`;
  let answer = await get(url, shown, undefined);
  if (answer.status === 401 && token !== undefined) {
    const isShared = answer.headers.get('www-authenticate')?.includes(SHARED_TOKEN_SCHEME) ?? false;
    await answer.body?.cancel();
    answer = await get(url, shown, `${isShared ? SHARED_TOKEN_SCHEME : 'Bearer'} ${token}`);
  }
  const { status } = answer;
  if (status !== 200) await answer.body?.cancel();
  if (status === 401 || status === 403) {
    throw new OpenError(
      'access_refused',
      token === undefined
        ? `${shown} is not public: put a token that may read it into ROSTACK_TOKEN`
        : `${shown} refuses the token in ROSTACK_TOKEN (${status})`,
    );
  }
  if (status >= 300 && status < 400) {
    const target = URL.parse(answer.headers.get('location') ?? '', url.href);
    throw new OpenError(
      'not_rostack',
      `${shown} leads elsewhere${target === null ? '' : `: open ${target.origin}${target.pathname}`}`,
    );
  }
  if (status !== 200) throw new OpenError('not_rostack', `${shown} answers ${status}`);
  try {
    return parseStrictJson(await readText(answer, shown));
  } catch (cause) {
    if (!hasCode<StrictJsonError>(cause, 'invalid_json')) throw unreachable(shown, cause);
    throw new OpenError('not_rostack', `${shown} answers with something that is not JSON: ${cause.message}`, {
      cause,
    });
  }
}

async function get(url: URL, shown: string, authorization: string | undefined): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { accept: 'application/json', ...(authorization !== undefined && { authorization }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    throw unreachable(shown, cause);
  }
}

async function readText(answer: Response, shown: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_BYTES)
      throw new OpenError('not_rostack', `${shown} answers with more than ${MAX_BYTES} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function unreachable(shown: string, cause: unknown): OpenError {
  if (cause instanceof OpenError) return cause;
  const hint = CERTIFICATE_CODE.test(codeOf(cause))
    ? '; if its certificate is to be trusted, start again with NODE_EXTRA_CA_CERTS=FILE in front'
    : '';
  return new OpenError('unreachable', `${shown} cannot be reached: ${reasonOf(cause)}${hint}`, { cause });
}

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
};

/** The reason of a failed request: `fetch` itself only says that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no whole answer within ${TIMEOUT_MS} ms`;
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
