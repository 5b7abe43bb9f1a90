import type { Release } from 'rostack-core';
import { JSON_MEDIA_TYPE } from 'rostack-core/client';
import type { ClientContext } from '../connection/context/client-context.ts';
import { authorizationOf, type Credential } from '../connection/credential/credentials.ts';
import { joinSignals } from '../connection/platform/platform.ts';
import { ClientError, HttpProblemError, NetworkError, RequestTimeoutError } from './error/errors.ts';
import { type JsonResponse, readJsonAnswer } from './json-answer.ts';

export interface JsonRequest {
  /** Already checked by the origin policy. */
  readonly url: URL;
  readonly isAuthorized: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default application/json */
  readonly mediaType?: string | undefined;
  readonly maxBytes: number;
  /**
   * Called with the beginning of an answer, before the rest is read and anything is checked. The client waits for it, and it
   * never rejects.
   * @default not called
   */
  readonly onBeginning?: ((bytes: Uint8Array) => Promise<void>) | undefined;
  readonly release: Release;
  readonly signal: AbortSignal;
}

type HttpContext = Pick<ClientContext, 'credentials' | 'platform' | 'limits'>;

/** How often one request may be refused: a credential that was renewed in the meantime may have expired too. */
const MAX_REFUSALS = 3;

/** Asks for JSON, and accepts only answers that the protocol allows. */
export class HttpClient {
  readonly #context: HttpContext;
  #accepted = 0;

  constructor(context: HttpContext) {
    this.#context = context;
  }

  /** How many answers requests with credentials have got. */
  get accepted(): number {
    return this.#accepted;
  }

  /** One request, repeated with a renewed credential if one is refused. @throws ClientError */
  async getJson(request: JsonRequest): Promise<JsonResponse> {
    if (!request.isAuthorized) return this.#ask(request, undefined);
    const { credentials } = this.#context;
    let credential = await credentials.current();
    for (let refusals = 1; ; refusals += 1) {
      try {
        const answer = await this.#ask(request, credential);
        this.#accepted += 1;
        return answer;
      } catch (error) {
        if (!isRefusal(error) || !credentials.canRenew || refusals >= MAX_REFUSALS) throw error;
        const renewed = await credentials.renew(credential, 'refused');
        if (renewed.token === credential.token) throw error;
        credential = renewed;
      }
    }
  }

  async #ask(request: JsonRequest, credential: Credential | undefined): Promise<JsonResponse> {
    const { platform, limits } = this.#context;
    const { requestTimeoutMs } = limits;
    const joined = joinSignals([request.signal], {
      clock: platform.clock,
      afterMs: requestTimeoutMs,
    });
    const shown = `${request.url.origin}${request.url.pathname}`;
    try {
      const response = await platform.fetch(request.url, {
        headers: {
          accept: request.mediaType ?? JSON_MEDIA_TYPE,
          ...request.headers,
          ...(credential === undefined ? {} : { authorization: authorizationOf(credential) }),
        },
        signal: joined.signal,
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      });
      return await readJsonAnswer(response, shown, request);
    } catch (error) {
      request.signal.throwIfAborted();
      if (joined.isTimedOut) {
        throw new RequestTimeoutError(`${shown} sent no complete answer within ${requestTimeoutMs} ms`);
      }
      if (error instanceof ClientError) throw error;
      throw new NetworkError(shown, error);
    } finally {
      joined.release();
    }
  }
}

/** Whether the credential is refused: in release 2026-08-12 the problem may have any type, so the status decides. */
export function isRefusal(error: unknown): error is HttpProblemError {
  return error instanceof HttpProblemError && error.status === 401;
}
