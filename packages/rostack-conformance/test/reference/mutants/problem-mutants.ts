import { type JsonObject, problemTypeUri } from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import {
  answered,
  bodies,
  credentialsOf,
  fields,
  instead,
  kindOf,
  membersOf,
  problems,
  refusal,
  withoutLength,
} from './answers.ts';

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

/** Faults in problems. */
export const PROBLEM_MUTANTS: Readonly<Record<string, Mutant>> = {
  'an absent record is an invalid request': {
    fails: ['err.http.type.resource-not-found'],
    answer: instead(
      (request, { status }) => status === 404 && kindOf(request) === 'item',
      () => refusal('invalid-request'),
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
};
