import type { JsonObject } from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import {
  answered,
  asked,
  credentialsOf,
  fields,
  instead,
  kindOf,
  parameterOf,
  refusal,
  withField,
  withoutLength,
  withQuery,
} from './answers.ts';

const withoutCredentials = ({ headers }: Request): boolean => !headers.has('authorization');

/** Takes credentials from where they do not belong. */
const moved = (tokenIn: (request: Request) => string | undefined): NonNullable<Mutant['answer']> =>
  asked(['list', 'item'], (request) => {
    const token = tokenIn(request);
    if (token === undefined || !withoutCredentials(request)) return request;
    const cleaned = withQuery(request, (parameters) => parameters.delete('token'));
    return withField(cleaned, 'authorization', `Rostack-Token ${token}`);
  });

/** Faults in how credentials are taken. */
export const CREDENTIAL_MUTANTS: Readonly<Record<string, Mutant>> = {
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
};
