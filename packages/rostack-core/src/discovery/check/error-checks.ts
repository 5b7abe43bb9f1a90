import type { DiscoveryCheck } from './discovery-check.ts';
import { readItems } from './reader.ts';
import { repeated } from './repeated.ts';

export const ERROR_CHECKS: readonly DiscoveryCheck[] = [
  {
    name: 'http_error_declared_once',
    rule: 'Each problem type stands at most once in errors.http.',
    releases: ['2026-08-13'],
    find: (document) => repeated(readItems(document, 'errors', 'http'), 'type', ['errors', 'http']),
  },
  {
    name: 'websocket_error_declared_once',
    rule: 'Each error code stands at most once in errors.websocket.',
    releases: ['2026-08-13'],
    find: (document) => repeated(readItems(document, 'errors', 'websocket'), 'code', ['errors', 'websocket']),
  },
];
