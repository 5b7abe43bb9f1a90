import type { Mutant } from '../mutant.ts';
import { LABEL_MEDIA_TYPE } from '../reference-implementation.ts';
import {
  answered,
  asked,
  bodies,
  fields,
  items,
  MISMATCHED,
  parameterOf,
  refusal,
  renamed,
  withField,
  withQuery,
} from './answers.ts';

/** Faults in items and their representations. */
export const ITEM_MUTANTS: Readonly<Record<string, Mutant>> = {
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
};
