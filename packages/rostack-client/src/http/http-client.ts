import {
  type AnyProblem,
  PROBLEM_MEDIA_TYPE,
  ProblemError,
  parseProblem,
  problemSlug,
  type Release,
  SPEC_BASE_URL,
} from 'rostack-core';
import { authorizationOf, type Credential } from '../credential/credential.ts';
import type { CredentialSource } from '../credential/credential-source.ts';
import {
  ClientError,
  HttpProblemError,
  NetworkError,
  RedirectRefusedError,
  RequestTimeoutError,
  ResponseError,
} from '../error/index.ts';
import { joinSignals } from '../platform/join-signals.ts';
import type { Platform } from '../platform/platform.ts';
import { readText } from './read-text.ts';

export interface JsonRequest {
  /** Checked by the origin policy already. */
  readonly url: URL;
  readonly isAuthorized: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly release: Release;
  readonly signal: AbortSignal;
}

export interface JsonResponse {
  readonly status: 200 | 304;
  readonly headers: Headers;
  /** Undefined with 304. */
  readonly value: unknown;
}

export interface HttpClientOptions {
  readonly platform: Platform;
  readonly credentials: CredentialSource;
  readonly requestTimeoutMs: number;
}

/** Credentials that are refused in a row: one that was renewed meanwhile may have expired too. */
const MAX_REFUSALS = 3;

/** Asks for JSON, and takes no answer but one that the protocol allows. */
export class HttpClient {
  readonly #options: HttpClientOptions;

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** One request, and others with renewed credentials where one is refused. @throws ClientError */
  async getJson(request: JsonRequest): Promise<JsonResponse> {
    if (!request.isAuthorized) return this.#ask(request, undefined);
    const { credentials } = this.#options;
    let credential = await credentials.current();
    for (let refusals = 1; ; refusals += 1) {
      try {
        return await this.#ask(request, credential);
      } catch (error) {
        if (!isRefusal(error) || !credentials.canRenew || refusals >= MAX_REFUSALS) throw error;
        const renewed = await credentials.renew(credential, 'refused');
        if (renewed.token === credential.token) throw error;
        credential = renewed;
      }
    }
  }

  async #ask(request: JsonRequest, credential: Credential | undefined): Promise<JsonResponse> {
    const { platform, requestTimeoutMs } = this.#options;
    const joined = joinSignals([request.signal], {
      clock: platform.clock,
      afterMs: requestTimeoutMs,
    });
    const shown = `${request.url.origin}${request.url.pathname}`;
    try {
      const response = await platform.fetch(request.url, {
        headers: {
          accept: 'application/json',
          ...request.headers,
          ...(credential === undefined ? {} : { authorization: authorizationOf(credential) }),
        },
        signal: joined.signal,
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      });
      return await readResponse(response, request, shown);
    } catch (error) {
      request.signal.throwIfAborted();
      if (joined.isTimedOut) {
        throw new RequestTimeoutError(`${shown} gave no whole answer within ${requestTimeoutMs} ms`);
      }
      if (error instanceof ClientError) throw error;
      throw new NetworkError(`${shown} could not be read`, { cause: error });
    } finally {
      joined.release();
    }
  }
}

async function readResponse(response: Response, request: JsonRequest, shown: string): Promise<JsonResponse> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
    await response.body?.cancel();
    throw new RedirectRefusedError(shown);
  }
  if (status === 304) return { status, headers, value: undefined };
  const text = await readText(response, shown, request.maxBytes);
  const mediaType = mediaTypeOf(headers);
  if (status !== 200) throw failureOf(status, mediaType, text, request.release, shown);
  if (mediaType !== 'application/json') {
    throw new ResponseError(`${shown} answered with ${mediaType || 'no media type'}, not application/json`);
  }
  return { status, headers, value: parseJson(text, shown) };
}

function failureOf(
  status: number,
  mediaType: string,
  text: string,
  release: Release,
  shown: string,
): ClientError {
  const retryable = status >= 500 || status === 429;
  if (mediaType !== PROBLEM_MEDIA_TYPE) {
    return new ResponseError(`${shown} answered ${status} without a problem`, { retryable });
  }
  try {
    const problem: AnyProblem =
      release === '2026-08-12'
        ? parseProblem(parseJson(text, shown), { release })
        : { ...parseProblem(parseJson(text, shown)) };
    if (problem.status !== undefined && problem.status !== status) {
      return new ResponseError(`${shown} answered ${status} with a problem of ${problem.status}`, {
        retryable,
      });
    }
    return new HttpProblemError(problemSlug(problem.type ?? SPEC_BASE_URL), status, problem);
  } catch (error) {
    if (!(error instanceof ProblemError) && !(error instanceof ResponseError)) throw error;
    return new ResponseError(`${shown} answered ${status} with ${error.message}`, {
      cause: error,
      retryable,
    });
  }
}

function parseJson(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ResponseError(`${shown} answered with something that is not JSON`, { cause: error });
  }
}

function mediaTypeOf(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

function isRefusal(error: unknown): boolean {
  return error instanceof HttpProblemError && error.code === 'authentication-required';
}
