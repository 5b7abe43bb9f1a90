import { comparePageKeys, type JsonObject, type PageKey } from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import { LABEL_MEDIA_TYPE } from '../reference-implementation.ts';
import {
  answered,
  asked,
  bodies,
  fields,
  kindOf,
  membersOf,
  parameterOf,
  refusal,
  refusing,
  renamed,
  withField,
  withQuery,
} from './answers.ts';
import { asText, paged, queried, rightOrder } from './sources.ts';

const page = (change: (page: JsonObject, request: Request) => JsonObject): NonNullable<Mutant['answer']> =>
  bodies(['list'], (body, request) => ({ ...body, page: change(membersOf(body['page']), request) }));

const withoutEventCursor = ({ event_cursor: _eventCursor, ...rest }: JsonObject): JsonObject => rest;

const items = (
  change: (item: JsonObject, index: number, request: Request) => JsonObject,
): NonNullable<Mutant['answer']> =>
  bodies(['list'], (body, request) => {
    const { items: all } = body;
    return {
      ...body,
      items: Array.isArray(all) ? all.map((item, index) => change(membersOf(item), index, request)) : [],
    };
  });

/** Orders two rows by a comparison of the first values that differ. */
const ordered =
  (compare: (a: unknown, b: unknown) => number | undefined) =>
  (query: Parameters<typeof rightOrder>[0]) =>
  (a: PageKey, b: PageKey): number => {
    for (const [index, key] of query.sort.entries()) {
      const own = compare(a.values[index], b.values[index]);
      const one = comparePageKeys([key]);
      const order = own ?? one({ values: [a.values[index]], id: '' }, { values: [b.values[index]], id: '' });
      if (order !== 0) return own === undefined ? order : key.descending ? -order : order;
    }
    return compareIds(a.id, b.id);
  };

const compareIds = (a: string, b: string): number =>
  comparePageKeys([])({ values: [], id: a }, { values: [], id: b });

const isWithoutCredentials = ({ headers }: Request): boolean => !headers.has('authorization');

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

/** What a problem breaks whose type is not that of its status. */
const MISMATCHED = ['err.http.type-title-status', 'err.http.member.status'];

const EMPTY_LIST = JSON.stringify({ items: [], page: { next_cursor: null, has_more: false } });

/** Faults that only show while records change. */
export const CHANGING_MUTANTS: Readonly<Record<string, Mutant>> = {
  'pages are of the newest records': {
    fails: ['json.page.snapshot'],
    source: queried(({ at: _at, tag: _tag, ...query }) => query),
  },
  'what is deleted was never there': {
    fails: ['decided.item.410'],
    answer: answered(['item'], (response) =>
      response.status === 410 ? refusal('resource-not-found') : response,
    ),
  },
  'what is deleted is told of as something else': {
    fails: ['err.http.type.resource-gone', ...MISMATCHED],
    answer: renamed('resource-gone', 'resource-not-found'),
  },
};

/** Faults in lists and items. */
export const READS_MUTANTS: Readonly<Record<string, Mutant>> = {
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
  'items have a link': {
    fails: ['json.item.record'],
    answer: bodies(['item'], (body, request) =>
      parameterOf(request, 'fields') === undefined ? { ...body, href: '/' } : body,
    ),
  },
  'encoded ids are not found': {
    fails: ['json.item-url'],
    answer: answered(['item'], (response, { url }) =>
      response.status === 200 && /%(?:2F|20)/i.test(url) ? refusal('resource-not-found') : response,
    ),
  },
  'an id is null': {
    fails: ['decided.id', 'json.representation-schema'],
    answer: items((item, index, request) =>
      index === 1 &&
      request.url.includes('/lists/gifts') &&
      (parameterOf(request, 'fields') ?? '/id').includes('/id')
        ? { ...item, id: null }
        : item,
    ),
  },
  'items have no tags': {
    fails: ['json.item.etag'],
    answer: fields(['item'], (headers) => headers.delete('etag')),
  },
  'items are always sent': {
    fails: ['json.item.not-modified'],
    answer: asked(['item'], (request) => withField(request, 'if-none-match', '')),
  },
  'selections have the tag of the record': {
    fails: ['json.item.etag-by-representation'],
    answer: asked(['item'], (request) =>
      request.headers.has('if-none-match')
        ? withQuery(request, (parameters) => parameters.delete('fields'))
        : request,
    ),
  },
  'weights are left out': {
    fails: ['json.accept'],
    answer: asked(['list', 'item'], (request) => {
      const accept = request.headers.get('accept') ?? '*/*';
      return accept.includes('q=0.') ? withField(request, 'accept', accept.replace(/[;,].*$/, '')) : request;
    }),
  },
  'labels are plain text': {
    fails: ['json.content-type'],
    answer: fields(['list', 'item'], (headers) => {
      if (headers.get('content-type') === LABEL_MEDIA_TYPE) headers.set('content-type', 'text/plain');
    }),
  },
  'unknown media types are served': {
    fails: ['json.not-acceptable', 'err.http.type.representation-not-acceptable', 'discovery.authoritative'],
    answer: asked(['list', 'item'], (request) =>
      (request.headers.get('accept') ?? '').startsWith('application/x-') &&
      !(request.headers.get('accept') ?? '').includes('json')
        ? withField(request, 'accept', '*/*')
        : request,
    ),
  },
  'what is not acceptable is an invalid request': {
    fails: [
      'err.http.type.representation-not-acceptable',
      'json.not-acceptable',
      'discovery.authoritative',
      ...MISMATCHED,
    ],
    answer: renamed('representation-not-acceptable', 'invalid-request'),
  },
  'labels have a member too many': {
    fails: ['json.representation-schema'],
    answer: items((item, _, { headers }) =>
      headers.get('accept') === LABEL_MEDIA_TYPE ? { ...item, more: 1 } : item,
    ),
  },
  'numbers sort the other way round': {
    fails: ['json.query.sort'],
    source: paged(ordered((a, b) => (typeof a === 'number' && typeof b === 'number' ? b - a : undefined))),
  },
  'what is missing sorts last': {
    fails: ['decided.sort-order'],
    source: paged(
      ordered((a, b) => {
        const [left, right] = [Number(a === undefined), Number(b === undefined)];
        return left === right ? undefined : left - right;
      }),
    ),
  },
  'ties are broken the other way round': {
    fails: ['decided.sort-ties'],
    source: paged(({ sort }) => {
      const order = comparePageKeys(sort);
      return (a, b) => {
        const known = order({ values: a.values, id: '' }, { values: b.values, id: '' });
        return known === 0 ? compareIds(b.id, a.id) : known;
      };
    }),
  },
  'decimals sort as texts': {
    fails: ['decided.decimals'],
    source: queried((query) => ({ ...query, sort: query.sort.map(asText) })),
  },
  'unknown orders are left out': {
    fails: ['json.query.sort'],
    answer: asked(['list'], (request) =>
      /no-such-field|no-slash/.test(parameterOf(request, 'sort') ?? '')
        ? withQuery(request, (parameters) => parameters.delete('sort'))
        : request,
    ),
  },
  'invalid orders are invalid requests': {
    fails: ['err.http.type.invalid-sort', 'discovery.authoritative'],
    answer: renamed('invalid-sort', 'invalid-request'),
  },
  'fields keep something more': {
    fails: ['json.query.fields'],
    answer: items((item, _, request) =>
      parameterOf(request, 'fields') === undefined ? item : { ...item, 'kept-as-well': 1 },
    ),
  },
  'an order counts only for fields that are kept': {
    fails: ['json.query.filter-sees-record'],
    answer: asked(['list'], (request) =>
      parameterOf(request, 'fields') === undefined
        ? request
        : withQuery(request, (parameters) => parameters.delete('sort')),
    ),
  },
  'unknown fields of records are left out': {
    fails: ['json.query.fields-of-representation'],
    answer: asked(['list'], (request) =>
      /no-such-field/.test(parameterOf(request, 'fields') ?? '')
        ? withQuery(request, (parameters) => parameters.delete('fields'))
        : request,
    ),
  },
  'invalid fields are invalid requests': {
    fails: ['err.http.type.invalid-fields'],
    answer: renamed('invalid-fields', 'invalid-request'),
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
  'a cursor goes on without its fields': {
    fails: ['decided.page-cursor.bound'],
    answer: asked(['list'], (request) =>
      parameterOf(request, 'cursor') === undefined
        ? request
        : withQuery(request, (parameters) => parameters.delete('fields')),
    ),
  },
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
