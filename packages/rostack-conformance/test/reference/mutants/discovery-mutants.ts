import type { Mutant } from '../mutant.ts';
import { asked, fields, instead, kindOf, withField } from './answers.ts';

/** Faults in how discovery is served. */
export const DISCOVERY_MUTANTS: Readonly<Record<string, Mutant>> = {
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
};
