import type { Mutant } from '../mutant.ts';
import { fields, instead, isOf, kindOf, refusal, refusing } from './answers.ts';

/** Faults in methods, paths, hosts, upgrades and header fields. */
export const REQUEST_MUTANTS: Readonly<Record<string, Mutant>> = {
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
  'an unknown path is a page': {
    fails: ['decided.outside.unknown-path'],
    answer: instead(
      ({ url }, { status }) => status === 404 && url.includes('.well-known'),
      () => new Response('Hello'),
    ),
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
  'answers are of another API version': {
    fails: ['json.version.api'],
    answer: fields(['list'], (headers) => headers.set('x-rostack-api-version', '0')),
  },
  'answers are of no protocol': {
    fails: ['json.version.protocol'],
    answer: fields(['item'], (headers) => headers.delete('x-rostack-protocol-version')),
  },
};
