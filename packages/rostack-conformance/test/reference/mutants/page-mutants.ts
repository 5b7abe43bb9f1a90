import type { JsonObject } from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import {
  answered,
  asked,
  kindOf,
  page,
  parameterOf,
  refusal,
  refusing,
  renamed,
  withQuery,
} from './answers.ts';
import { paged, rightOrder } from './sources.ts';

const withoutEventCursor = ({ event_cursor: _eventCursor, ...rest }: JsonObject): JsonObject => rest;

/** Takes a cursor that was never given for the beginning of the list. */
function forgiving(): NonNullable<Mutant['answer']> {
  const given = new Set<string>();
  return async (request, answer) => {
    const cursor = parameterOf(request, 'cursor');
    const isForged = cursor !== undefined && cursor.length > 40 && !given.has(cursor);
    const response = await answer(
      isForged ? withQuery(request, (parameters) => parameters.delete('cursor')) : request,
    );
    if (kindOf(request) === 'list' && request.method === 'GET' && response.status === 200) {
      const { page: own } = (await response.clone().json()) as { readonly page: JsonObject };
      for (const text of [own['next_cursor'], own['event_cursor']])
        if (typeof text === 'string') given.add(text);
    }
    return response;
  };
}

/** Faults in lists, limits, pages and cursors. */
export const PAGE_MUTANTS: Readonly<Record<string, Mutant>> = {
  'a list is not served': {
    fails: ['json.methods.get'],
    answer: answered(['list'], (response, { url }) =>
      response.status === 200 && url.includes('/api/sheets') ? refusal('internal-error') : response,
    ),
  },
  'pages overlap': { fails: ['json.page.snapshot'], source: paged(rightOrder, () => undefined, 1) },
  'the event cursor moves along a chain': {
    fails: ['json.page.event-cursor-constant'],
    answer: page((own, request) =>
      parameterOf(request, 'cursor') !== undefined && typeof own['event_cursor'] === 'string'
        ? { ...own, event_cursor: `${own['event_cursor']}x` }
        : own,
    ),
  },
  'a filtered list has no event cursor': {
    fails: ['json.page.event-cursor', 'json.page.event-cursor-any-query'],
    answer: page((own, request) => {
      return parameterOf(request, 'filter') === undefined ? own : withoutEventCursor(own);
    }),
  },
  'there is no event cursor': {
    fails: ['json.page.event-cursor', 'json.page.event-cursor-any-query'],
    answer: page(withoutEventCursor),
  },
  'has_more is always true': {
    fails: ['json.page.next-cursor'],
    answer: page((own) => ({ ...own, has_more: true })),
  },
  'pages have a total': { fails: ['json.collection.closed'], answer: page((own) => ({ ...own, total: 1 })) },
  'limits are left out': {
    fails: ['json.query.limit'],
    answer: asked(['list'], (request) =>
      /^[^&]*\?limit=[1-9]$/.test(request.url) && parameterOf(request, 'cursor') === undefined
        ? withQuery(request, (parameters) => parameters.delete('limit'))
        : request,
    ),
  },
  'malformed limits are left out': {
    fails: ['json.query.limit'],
    answer: asked(['list'], (request) =>
      parameterOf(request, 'limit') === 'ten'
        ? withQuery(request, (parameters) => parameters.delete('limit'))
        : request,
    ),
  },
  'pages have 20 records by default': {
    fails: ['decided.limit.default'],
    answer: asked(['list'], (request) =>
      parameterOf(request, 'limit') === undefined
        ? withQuery(request, (parameters) => parameters.set('limit', '20'))
        : request,
    ),
  },
  'limits above the maximum are cut': {
    fails: ['decided.limit.above'],
    answer: asked(['list'], (request) =>
      Number(parameterOf(request, 'limit') ?? 1) > 60
        ? withQuery(request, (parameters) => parameters.set('limit', '60'))
        : request,
    ),
  },
  'unknown parameters are left out': {
    fails: ['decided.parameters'],
    answer: asked(['list'], (request) =>
      withQuery(request, (parameters) => {
        parameters.delete('no-such-parameter');
        parameters.delete('rostack-conformance');
      }),
    ),
  },
  'invalid requests are invalid filters': {
    fails: [
      'err.http.type.invalid-request',
      'json.query.limit',
      'decided.limit.above',
      'decided.parameters',
      'decided.hosts',
      'decided.outside.upgrade-fields',
    ],
    answer: renamed('invalid-request', 'invalid-filter'),
  },
  'a text that is no cursor is left out': {
    fails: ['json.query.cursor'],
    answer: asked(['list'], (request) =>
      parameterOf(request, 'cursor') === 'no-cursor'
        ? withQuery(request, (parameters) => parameters.delete('cursor'))
        : request,
    ),
  },
  'forged cursors are taken': { fails: ['decided.page-cursor.sealed'], answer: forgiving() },
  'a cursor is bound to its limit': {
    fails: ['decided.page-cursor.limit'],
    answer: refusing(
      'invalid-cursor',
      (request) => parameterOf(request, 'limit') === '2' && parameterOf(request, 'cursor') !== undefined,
    ),
  },
  'invalid cursors are invalid requests': {
    fails: ['err.http.type.invalid-cursor'],
    answer: renamed('invalid-cursor', 'invalid-request'),
  },
};
