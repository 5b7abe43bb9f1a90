import type { Mutant } from '../mutant.ts';
import { answered, kindOf, MISMATCHED, parameterOf, refusal, refusing, renamed } from './answers.ts';

const isWithoutCredentials = ({ headers }: Request): boolean => !headers.has('authorization');

/** Answers from memory whoever asks for what was asked for three times in a row. */
function careless(): NonNullable<Mutant['answer']> {
  let kept:
    | { readonly url: string; readonly times: number; readonly body: string; readonly headers: Headers }
    | undefined;
  return async (request, answer) => {
    const response = await answer(request);
    const isRefused = response.status === 403 || isWithoutCredentials(request);
    if (kept !== undefined && kept.url === request.url && kept.times >= 3 && isRefused) {
      return new Response(kept.body, { headers: kept.headers });
    }
    const times = kept?.url === request.url ? kept.times + 1 : 1;
    const isKept = kindOf(request) === 'list' && response.status === 200;
    kept = isKept
      ? { url: request.url, times, body: await response.clone().text(), headers: response.headers }
      : undefined;
    return response;
  };
}

const EMPTY_LIST = JSON.stringify({ items: [], page: { next_cursor: null, has_more: false } });

/** Faults in rights. */
export const PERMISSION_MUTANTS: Readonly<Record<string, Mutant>> = {
  'queries are looked at before rights': {
    fails: ['permission.first.query'],
    answer: refusing(
      'invalid-filter',
      (request) => isWithoutCredentials(request) && parameterOf(request, 'filter') !== undefined,
    ),
  },
  'records are looked up before rights': {
    fails: ['permission.first.item', 'err.indistinguishable'],
    answer: answered(['item'], (response, request) =>
      response.status === 403 && request.url.includes('8123456789012345')
        ? refusal('resource-not-found')
        : response,
    ),
  },
  'rights are looked at once': { fails: ['permission.every-time'], answer: careless() },
  'who lacks a permission finds nothing': {
    fails: ['permission.lacking', 'permission.every-time'],
    answer: answered(['list'], (response, { url }) =>
      response.status === 403 && !url.includes('?') ? refusal('resource-not-found') : response,
    ),
  },
  'items are hidden from who lacks a permission': {
    fails: ['decided.item.403'],
    answer: answered(['item'], (response) =>
      response.status === 403 ? refusal('resource-not-found') : response,
    ),
  },
  'one permission of several is enough': {
    fails: ['permission.together'],
    answer: answered(['list'], (response, { url }) =>
      response.status === 403 && url.includes('/lists/gifts')
        ? new Response(EMPTY_LIST, {
            headers: {
              'Content-Type': 'application/json',
              'X-Rostack-API-Version': '1',
              'X-Rostack-Protocol-Version': 'rostack_v1',
            },
          })
        : response,
    ),
  },
  'who lacks a permission is told of something else': {
    fails: ['err.http.type.permission-denied', ...MISMATCHED],
    answer: renamed('permission-denied', 'invalid-request'),
  },
};
