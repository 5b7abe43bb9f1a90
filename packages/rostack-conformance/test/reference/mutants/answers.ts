import {
  createProblem,
  type JsonObject,
  type JsonValue,
  PROBLEM_MEDIA_TYPE,
  PROBLEM_TYPES,
  type ProblemSlug,
  problemTypeUri,
} from 'rostack-core';
import type { Answer, Mutant } from '../mutant.ts';

/** What a request of the reference server is for. */
export type Kind = 'discovery' | 'schema' | 'list' | 'item' | 'other';

/** What a request is for, by its path. */
export function kindOf({ url }: Pick<Request, 'url'>): Kind {
  const { pathname } = new URL(url);
  if (pathname === '/.well-known/rostack') return 'discovery';
  if (pathname.startsWith('/schemas/')) return 'schema';
  if (/^\/api\/[a-z]+$|^\/lists\/gifts$/.test(pathname)) return 'list';
  return /^\/api\/[a-z]+\/|^\/gift$/.test(pathname) ? 'item' : 'other';
}

/** A parameter of the query of a request. */
export const parameterOf = ({ url }: Pick<Request, 'url'>, name: string): string | undefined =>
  new URL(url).searchParams.get(name) ?? undefined;

/** A request like another, with another query. */
export function withQuery(request: Request, change: (parameters: URLSearchParams) => void): Request {
  const url = new URL(request.url);
  change(url.searchParams);
  return new Request(url, { method: request.method, headers: request.headers });
}

/** A request like another, with a header field set, or taken away by an empty value. */
export function withField(request: Request, name: string, value: string): Request {
  const headers = new Headers(request.headers);
  if (value === '') headers.delete(name);
  else headers.set(name, value);
  return new Request(request.url, { method: request.method, headers });
}

/** Changes requests of a kind before they are answered. */
export const asked =
  (kinds: readonly Kind[], change: (request: Request) => Request): NonNullable<Mutant['answer']> =>
  (request, answer) =>
    answer(kinds.includes(kindOf(request)) ? change(request) : request);

/** Changes the answers to requests of a kind. */
export const answered =
  (
    kinds: readonly Kind[],
    change: (response: Response, request: Request, answer: Answer) => Response | Promise<Response>,
  ): NonNullable<Mutant['answer']> =>
  async (request, answer) => {
    const response = await answer(request);
    return kinds.includes(kindOf(request)) ? change(response, request, answer) : response;
  };

/** Changes the fields of answers. */
export const fields = (
  kinds: readonly Kind[],
  change: (headers: Headers) => void,
): NonNullable<Mutant['answer']> =>
  answered(kinds, (response) => {
    const headers = new Headers(response.headers);
    change(headers);
    return new Response(response.body, { status: response.status, headers });
  });

/** Changes the JSON of answers with a status. */
export const bodies = (
  kinds: readonly Kind[],
  change: (body: JsonObject, request: Request) => JsonValue,
  isMeant: (status: number) => boolean = (status) => status === 200,
): NonNullable<Mutant['answer']> =>
  answered(kinds, async (response, request) => {
    if (!isMeant(response.status) || request.method === 'HEAD') return response;
    const body = (await response.json()) as JsonObject;
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(JSON.stringify(change(body, request)), { status: response.status, headers });
  });

/** Changes the problems of all answers. */
export const problems = (change: (problem: JsonObject) => JsonObject): NonNullable<Mutant['answer']> =>
  bodies(['discovery', 'list', 'item', 'other'], change, (status) => status >= 400);

/** A problem as an answer. */
export function refusal(
  slug: Exclude<ProblemSlug, 'rate-limited' | 'service-unavailable'>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const problem = createProblem(slug, { request_id: 'mutant' });
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'Content-Type': PROBLEM_MEDIA_TYPE, 'X-Request-Id': 'mutant', ...headers },
  });
}

/** Answers some requests with a problem, whatever they would be answered with. */
export const refusing =
  (
    slug: Parameters<typeof refusal>[0],
    isMeant: (request: Request) => boolean,
  ): NonNullable<Mutant['answer']> =>
  async (request, answer) =>
    isMeant(request) ? refusal(slug) : answer(request);

/** Answers one problem with the type and the title of another. */
export const renamed = (from: ProblemSlug, to: ProblemSlug): NonNullable<Mutant['answer']> =>
  problems((problem) =>
    problem['type'] === problemTypeUri(from)
      ? { ...problem, type: problemTypeUri(to), title: PROBLEM_TYPES[to].title }
      : problem,
  );

/** The members of a value that is an object. */
export const membersOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const isOf =
  (kind: ReturnType<typeof kindOf>, method = 'GET') =>
  (request: Request): boolean =>
    kindOf(request) === kind && request.method === method;

/** Answers some requests with another status and body. */
export const instead =
  (
    isMeant: (request: Request, response: Response) => boolean,
    make: (text: string, response: Response) => Response,
  ) =>
  async (request: Request, answer: (request: Request) => Promise<Response>): Promise<Response> => {
    const response = await answer(request);
    return isMeant(request, response) ? make(await response.text(), response) : response;
  };

export const credentialsOf = (request: Request): readonly [scheme: string, token: string] => {
  const [scheme = '', token = ''] = (request.headers.get('authorization') ?? '').split(' ');
  return [scheme, token];
};

export function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-length');
  return kept;
}

export const page = (
  change: (page: JsonObject, request: Request) => JsonObject,
): NonNullable<Mutant['answer']> =>
  bodies(['list'], (body, request) => ({ ...body, page: change(membersOf(body['page']), request) }));

export const items = (
  change: (item: JsonObject, index: number, request: Request) => JsonObject,
): NonNullable<Mutant['answer']> =>
  bodies(['list'], (body, request) => {
    const { items: all } = body;
    return {
      ...body,
      items: Array.isArray(all) ? all.map((item, index) => change(membersOf(item), index, request)) : [],
    };
  });

/** What a problem breaks whose type is not that of its status. */
export const MISMATCHED = ['err.http.type-title-status', 'err.http.member.status'];
