import type { AnyProblem, ProblemError, Release, StrictJsonError } from 'rostack-core';
import {
  hasCode,
  JSON_MEDIA_TYPE,
  PROBLEM_MEDIA_TYPE,
  parseProblem,
  parseStrictJson,
  problemSlug,
  SPEC_BASE_URL,
} from 'rostack-core/client';
import { loadLaterParts } from '../connection/platform/platform.ts';
import {
  type ClientError,
  HttpProblemError,
  RedirectRefusedError,
  ResponseError,
  ResponseTooLargeError,
} from './error/errors.ts';

/** From here on the text of an answer is a large one. */
const LARGE_BYTES = 65_536;

export interface JsonResponse {
  readonly status: 200 | 304;
  readonly headers: Headers;
  /** Undefined with 304. */
  readonly value: unknown;
}

/** What is known about an answer before it comes; see `JsonRequest`. */
interface AnswerRules {
  readonly maxBytes: number;
  readonly release: Release;
  readonly mediaType?: string | undefined;
  readonly onBeginning?: ((bytes: Uint8Array) => Promise<void>) | undefined;
}

/**
 * Reads an answer, if the protocol allows it.
 * @param shown the URL in messages
 * @throws HttpProblemError, ResponseError, ResponseTooLargeError, RedirectRefusedError
 * @throws NetworkError if the part of this package that reads large answers cannot be loaded
 */
export async function readJsonAnswer(
  response: Response,
  shown: string,
  { maxBytes, release, mediaType: expected = JSON_MEDIA_TYPE, onBeginning }: AnswerRules,
): Promise<JsonResponse> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
    await response.body?.cancel();
    throw new RedirectRefusedError(shown);
  }
  if (status === 304) return { status, headers, value: undefined };
  const bytes = await readBytes(response, shown, maxBytes, onBeginning);
  const mediaType = mediaTypeOf(headers);
  if (status !== 200) throw failureOf(status, mediaType, bytes, release, shown);
  if (mediaType !== expected) {
    throw new ResponseError(
      `${shown} answered with ${mediaType || 'no media type'}, not ${expected}: this is not a rostack server, or a proxy in front of it answers`,
    );
  }
  const inPieces =
    bytes.byteLength < LARGE_BYTES ? undefined : (await loadLaterParts()).parseCollectionInPieces(bytes);
  return { status, headers, value: inPieces ?? parseJson(bytes, shown) };
}

function failureOf(
  status: number,
  mediaType: string,
  bytes: Uint8Array,
  release: Release,
  shown: string,
): ClientError {
  const retryable = status >= 500 || status === 429;
  if (mediaType !== PROBLEM_MEDIA_TYPE) {
    const why = retryable
      ? 'a proxy in front of the server answers, or the server fails'
      : 'this is not a rostack server, or it is at another address';
    return new ResponseError(`${shown} answered ${status} without a problem: ${why}`, { retryable });
  }
  try {
    const problem: AnyProblem =
      release === '2026-08-12'
        ? parseProblem(parseJson(bytes, shown), { release })
        : { ...parseProblem(parseJson(bytes, shown)) };
    if (problem.status !== undefined && problem.status !== status) {
      return new ResponseError(`${shown} answered ${status} with a problem of ${problem.status}`, {
        retryable,
      });
    }
    return new HttpProblemError(problemSlug(problem.type ?? SPEC_BASE_URL), status, problem);
  } catch (error) {
    if (!hasCode<ProblemError>(error, 'invalid_problem') && !(error instanceof ResponseError)) throw error;
    return new ResponseError(`${shown} answered ${status} with ${error.message}`, {
      cause: error,
      retryable,
    });
  }
}

function parseJson(bytes: Uint8Array, shown: string): unknown {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const inexact =
      hasCode<StrictJsonError>(error, 'invalid_json') && error.fault.check !== 'json'
        ? error.fault
        : undefined;
    const reason =
      inexact === undefined
        ? 'something that is not JSON'
        : `JSON in which ${inexact.path} ${inexact.message}`;
    throw new ResponseError(`${shown} answered with ${reason}`, { cause: error });
  }
}

function mediaTypeOf(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/**
 * Reads a body, and stops if it is larger than allowed. Sizes are those after decompression.
 * @throws ResponseTooLargeError `response_too_large`
 */
async function readBytes(
  response: Response,
  url: string,
  maxBytes: number,
  onBeginning?: (bytes: Uint8Array) => Promise<void>,
): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return joined(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new ResponseTooLargeError(url, maxBytes);
      chunks.push(value);
      if (chunks.length === 1) await onBeginning?.(value);
    }
  } finally {
    // Does nothing if all was read; otherwise gives up the connection.
    await reader.cancel().catch(() => {});
  }
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const all = new Uint8Array(bytes);
  let start = 0;
  for (const chunk of chunks) {
    all.set(chunk, start);
    start += chunk.byteLength;
  }
  return all;
}
