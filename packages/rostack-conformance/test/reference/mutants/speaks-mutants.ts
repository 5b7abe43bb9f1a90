import { type JsonObject, problemTypeUri } from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import {
  answered,
  asked,
  bodies,
  fields,
  kindOf,
  membersOf,
  parameterOf,
  problems,
  refusal,
  refusing,
  withField,
  withQuery,
} from './answers.ts';

const plantSchema = (change: (schema: JsonObject) => JsonObject): NonNullable<Mutant['answer']> =>
  bodies(['schema'], (schema, { url }) => (url.endsWith('/plants.schema.json') ? change(schema) : schema));

const opened = ({
  additionalProperties: _closure,
  unevaluatedProperties: _other,
  ...rest
}: JsonObject): JsonObject => rest;

const OPEN: JsonObject = { type: 'object', properties: { more: { type: 'object', properties: {} } } };

const CLOSURE = ['release.owned-schemas', 'discovery.schemas.closed'];

const isOf =
  (kind: ReturnType<typeof kindOf>, method = 'GET') =>
  (request: Request): boolean =>
    kindOf(request) === kind && request.method === method;

const withoutCredentials = ({ headers }: Request): boolean => !headers.has('authorization');

/** Answers some requests with another status and body. */
const instead =
  (
    isMeant: (request: Request, response: Response) => boolean,
    make: (text: string, response: Response) => Response,
  ) =>
  async (request: Request, answer: (request: Request) => Promise<Response>): Promise<Response> => {
    const response = await answer(request);
    return isMeant(request, response) ? make(await response.text(), response) : response;
  };

/** Takes credentials from where they do not belong. */
const moved = (tokenIn: (request: Request) => string | undefined): NonNullable<Mutant['answer']> =>
  asked(['list', 'item'], (request) => {
    const token = tokenIn(request);
    if (token === undefined || !withoutCredentials(request)) return request;
    const cleaned = withQuery(request, (parameters) => parameters.delete('token'));
    return withField(cleaned, 'authorization', `Rostack-Token ${token}`);
  });

const credentialsOf = (request: Request): readonly [scheme: string, token: string] => {
  const [scheme = '', token = ''] = (request.headers.get('authorization') ?? '').split(' ');
  return [scheme, token];
};

/** A problem with other members; that of an absent record, which is asked for in each run. */
const notFound = (members: JsonObject): NonNullable<Mutant['answer']> =>
  problems((problem) => (problem['status'] === 404 ? { ...problem, ...members } : problem));

/** Answers requests for absent records with another status, and other members. */
const absentAs = (status: number, members: JsonObject): NonNullable<Mutant['answer']> =>
  instead(
    (request, response) => response.status === 404 && kindOf(request) === 'item',
    (text, { headers }) =>
      new Response(JSON.stringify({ ...(JSON.parse(text) as JsonObject), ...members }), {
        status,
        headers: withoutLength(headers),
      }),
  );

/** Answers every second request for an absent record with another status. */
function onceAs(status: number): NonNullable<Mutant['answer']> {
  let asked = 0;
  const changed = absentAs(status, {});
  return async (request, answer) => {
    if (kindOf(request) !== 'item') return answer(request);
    asked += 1;
    if (asked % 2 === 0) return answer(request);
    const response = await changed(request, answer);
    if (response.status === status) response.headers.set('retry-after', '0');
    return response;
  };
}

const UNAVAILABLE: JsonObject = {
  type: problemTypeUri('service-unavailable'),
  title: 'Service unavailable',
  status: 503,
};
const ABSENT_TYPE = 'err.http.type.resource-not-found';
const TOGETHER = 'err.http.type-title-status';

/** Faults in discovery, schemas, credentials, problems and header fields. */
export const SPEAKS_MUTANTS: Readonly<Record<string, Mutant>> = {
  'discovery is plain text': {
    fails: ['discovery.path'],
    answer: instead(
      (request, { status }) => kindOf(request) === 'discovery' && status === 200,
      (text, { headers }) => {
        const plain = new Headers(headers);
        plain.set('content-type', 'text/plain');
        return new Response(text, { headers: plain });
      },
    ),
  },
  'discovery has another status': {
    fails: [
      'discovery.path',
      'decided.discovery-status',
      'discovery.public',
      'discovery.not-modified',
      'decided.other-upgrades',
    ],
    answer: instead(
      (request, { status }) => kindOf(request) === 'discovery' && status === 200,
      (text, { headers }) => new Response(text, { status: 203, headers }),
    ),
  },
  'discovery may not be kept': {
    fails: ['discovery.caching'],
    answer: fields(['discovery'], (headers) => headers.delete('cache-control')),
  },
  'discovery is always sent': {
    fails: ['discovery.not-modified'],
    answer: asked(['discovery'], (request) => withField(request, 'if-none-match', '')),
  },
  'discovery takes parameters and methods': {
    fails: ['discovery.no-parameters'],
    answer: async (request, answer) =>
      answer(
        kindOf(request) === 'discovery'
          ? new Request(request.url.replace(/\?.*$/, ''), { headers: request.headers })
          : request,
      ),
  },
  'schemas need credentials': {
    fails: ['discovery.schemas.public'],
    answer: refusing('authentication-required', isOf('schema')),
  },
  'a schema is open': { fails: CLOSURE, answer: plantSchema(opened) },
  'a schema is open further down': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone'],
    answer: plantSchema((schema) => {
      const members = membersOf(schema['properties']);
      return { ...schema, properties: { ...members, place: opened(membersOf(members['place'])) } };
    }),
  },
  'a definition is open': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone', 'discovery.schemas.closed.references'],
    answer: plantSchema((schema) => {
      const place = { $ref: '#/$defs/place' };
      return { ...schema, properties: { ...membersOf(schema['properties']), place }, $defs: { place: OPEN } };
    }),
  },
  'a branch is open': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone', 'discovery.schemas.closed.combinators'],
    answer: plantSchema((schema) => {
      const place = { anyOf: [OPEN, { type: 'null' }] };
      return { ...schema, properties: { ...membersOf(schema['properties']), place } };
    }),
  },
  'a condition is open': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone', 'discovery.schemas.closed.conditionals'],
    answer: plantSchema((schema) => {
      const place = { if: { type: 'object' }, else: OPEN };
      return { ...schema, properties: { ...membersOf(schema['properties']), place } };
    }),
  },
  'a closure is a schema': {
    fails: ['release.owned-schemas', 'discovery.schemas.only-false', 'discovery.schemas.closed'],
    answer: plantSchema((schema) => ({ ...schema, additionalProperties: { type: 'string' } })),
  },
  'a pattern of names has no end': {
    fails: ['release.owned-schemas', 'discovery.schemas.name-patterns'],
    answer: plantSchema((schema) => ({ ...schema, patternProperties: { '^x-': { type: 'string' } } })),
  },
  'a schema has another id': {
    fails: ['release.owned-schemas', 'discovery.schemas.id'],
    answer: plantSchema((schema) => ({ ...schema, $id: 'https://localhost/other.schema.json' })),
  },
  'a schema is of another dialect': {
    fails: ['release.owned-schemas', 'discovery.schemas.dialect'],
    answer: plantSchema((schema) => ({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' })),
  },
  'nobody needs credentials': {
    fails: ['permission.no-credentials', 'permission.first.item', 'err.http.type.authentication-required'],
    answer: instead(
      (request, { status }) => withoutCredentials(request) && status === 401 && kindOf(request) === 'item',
      () => refusal('resource-not-found'),
    ),
  },
  'there is no challenge': {
    fails: ['auth.challenge'],
    answer: fields(['list', 'item'], (headers) => headers.delete('www-authenticate')),
  },
  'malformed credentials are told': {
    fails: ['auth.alike'],
    answer: answered(['list', 'item'], async (response, request) =>
      response.status === 401 && credentialsOf(request)[1].includes('A'.repeat(43))
        ? new Response(
            JSON.stringify({ ...((await response.json()) as JsonObject), detail: 'The token is malformed.' }),
            { status: 401, headers: withoutLength(response.headers) },
          )
        : response,
    ),
  },
  'any scheme will do': {
    fails: ['auth.offered-only'],
    answer: asked(['list', 'item'], (request) =>
      withoutCredentials(request)
        ? request
        : withField(request, 'authorization', `Rostack-Token ${credentialsOf(request)[1]}`),
    ),
  },
  'tokens are taken from the URL': {
    fails: ['auth.not-in-urls'],
    answer: moved((request) => parameterOf(request, 'token')),
  },
  'tokens are taken from cookies': {
    fails: ['auth.not-in-urls'],
    answer: moved(({ headers }) => /(?:^|; )token=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1]),
  },
  'schemes are matched with case': {
    fails: ['auth.scheme-case'],
    answer: asked(['list', 'item'], (request) => {
      const [scheme] = credentialsOf(request);
      return scheme === 'rostack-token' ? withField(request, 'authorization', 'Unknown x') : request;
    }),
  },
  'writing is not found': {
    fails: ['json.methods.others', 'err.http.type.method-not-allowed'],
    answer: instead(
      (request, { status }) =>
        request.method === 'PATCH' && status === 405 && kindOf(request) !== 'discovery',
      () => refusal('resource-not-found'),
    ),
  },
  'nobody is told what is allowed': {
    fails: ['json.methods.others'],
    answer: fields(['list', 'item'], (headers) => headers.delete('allow')),
  },
  'HEAD has another status': {
    fails: ['json.methods.head-options'],
    answer: instead(
      (request) => isOf('list', 'HEAD')(request),
      () => new Response(null, { status: 204 }),
    ),
  },
  'an absent record is an invalid request': {
    fails: ['err.http.type.resource-not-found'],
    answer: instead(
      (request, { status }) => status === 404 && kindOf(request) === 'item',
      () => refusal('invalid-request'),
    ),
  },
  'an unknown path is a page': {
    fails: ['decided.outside.unknown-path'],
    answer: instead(
      ({ url }, { status }) => status === 404 && url.includes('.well-known'),
      () => new Response('Hello'),
    ),
  },
  'a problem is JSON': {
    fails: ['err.http.every-failure'],
    answer: fields(['list'], (headers) => {
      if (headers.get('content-type') === 'application/problem+json')
        headers.set('content-type', 'application/json');
    }),
  },
  'a status is none of the protocol': {
    fails: ['err.http.statuses', TOGETHER, 'err.http.type.resource-not-found'],
    answer: instead(
      (request, { status }) => status === 404 && kindOf(request) === 'item',
      (text, { headers }) => new Response(text, { status: 418, headers: withoutLength(headers) }),
    ),
  },
  'a problem has a member too many': {
    fails: ['err.http.closed', 'release.problems.closed'],
    answer: notFound({ more: 1 }),
  },
  'the request id is another one': {
    fails: ['err.http.request-id'],
    answer: notFound({ request_id: 'other' }),
  },
  'a problem of no type': {
    fails: [
      'err.http.member.type',
      TOGETHER,
      'err.http.type.resource-not-found',
      'decided.outside.unknown-path',
    ],
    answer: notFound({ type: 'about:blank' }),
  },
  'a title is another one': {
    fails: ['err.http.member.title', TOGETHER],
    answer: notFound({ title: 'Nothing' }),
  },
  'a status is another one in the problem': {
    fails: ['err.http.member.status', TOGETHER],
    answer: notFound({ status: 410 }),
  },
  'a detail is a number': { fails: ['err.http.member.detail'], answer: notFound({ detail: 1 }) },
  'an instance is no reference': {
    fails: ['err.http.member.instance'],
    answer: notFound({ instance: 'a b' }),
  },
  'an instance has no host': {
    fails: ['err.http.rule.uri_reference_valid'],
    answer: notFound({ instance: 'https://[v1.a]/' }),
  },
  'a request id is empty': {
    fails: ['err.http.member.request_id', 'err.http.request-id'],
    answer: notFound({ request_id: '' }),
  },
  'an absent record is to be asked for again': {
    fails: ['err.http.retry-after.forbidden', 'err.http.member.retry_after_ms'],
    answer: notFound({ retry_after_ms: 1 }),
  },
  'nobody is told when to come back': {
    fails: ['err.http.retry-after.required', 'err.http.member.retry_after_ms', ABSENT_TYPE],
    answer: absentAs(503, UNAVAILABLE),
  },
  'a number in a problem is too large': {
    fails: ['err.http.rule.whole_number_exact', ABSENT_TYPE],
    answer: absentAs(503, { ...UNAVAILABLE, retry_after_ms: 2 ** 53 }),
  },
  'a failure is none of the two': {
    fails: ['err.http.fallback', 'err.http.type.internal-error', TOGETHER, ABSENT_TYPE],
    answer: absentAs(500, {}),
  },
  'what is not there for now is told of as something else': {
    fails: ['err.http.type.service-unavailable', 'err.http.fallback', TOGETHER, ABSENT_TYPE],
    answer: absentAs(503, {}),
  },
  'too many requests are told of as something else': {
    fails: ['err.http.type.rate-limited', TOGETHER],
    answer: onceAs(429),
  },
  'a place in a private network is told': {
    fails: ['err.texts.private-network'],
    answer: notFound({ detail: 'No answer from 10.0.0.7:5432.' }),
  },
  'what has to be an upgrade is not told so': {
    fails: ['decided.outside.upgrade-fields'],
    answer: instead(
      (_, { headers }) => headers.has('upgrade'),
      (text, { status, headers }) => {
        headers.delete('upgrade');
        return new Response(text, { status, headers });
      },
    ),
  },
  'any host is served': {
    fails: ['decided.hosts'],
    answer: instead(
      ({ url }) => url.includes('.invalid'),
      () => new Response('{}'),
    ),
  },
  'upgrades are refused': {
    fails: ['decided.other-upgrades'],
    answer: refusing('invalid-request', ({ headers }) => headers.get('upgrade') === 'h2c'),
  },
  'answers are of another protocol': {
    fails: ['json.version.protocol', 'version.protocol'],
    answer: fields(['item'], (headers) => headers.set('x-rostack-protocol-version', 'rostack_v2')),
  },
  'a problem is not declared': {
    fails: ['err.http.undeclared-never-sent'],
    answer: bodies(['discovery'], (document) => {
      const errors = membersOf(document['errors']);
      const http = Array.isArray(errors['http'])
        ? errors['http'].filter((error) => membersOf(error)['type'] !== problemTypeUri('invalid-cursor'))
        : [];
      return { ...document, errors: { ...errors, http } };
    }),
  },
  'a problem repeats the token': {
    fails: ['err.texts.credentials'],
    answer: answered(['list'], async (response, request) =>
      response.status === 400
        ? new Response(
            JSON.stringify({ ...((await response.json()) as JsonObject), detail: credentialsOf(request)[1] }),
            { status: 400, headers: withoutLength(response.headers) },
          )
        : response,
    ),
  },
  'answers are of another API version': {
    fails: ['json.version.api'],
    answer: fields(['list'], (headers) => headers.set('x-rostack-api-version', '0')),
  },
  'answers are of no protocol': {
    fails: ['json.version.protocol'],
    answer: fields(['item'], (headers) => headers.delete('x-rostack-protocol-version')),
  },
};

function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-length');
  return kept;
}
