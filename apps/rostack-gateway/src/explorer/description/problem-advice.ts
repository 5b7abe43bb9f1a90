import type { ProblemSlug } from 'rostack-core';

/** What a caller does about each problem (protocol section 5). */
export const PROBLEM_ADVICE: Readonly<Record<ProblemSlug, string>> = {
  'invalid-request':
    'Correct the parameter that the detail names; an unknown or repeated one is refused too.',
  'invalid-filter': 'Send the filter as one JSON object of fields and operators, percent-encoded.',
  'unsupported-filter': 'Use only the fields and operators listed with the resource.',
  'invalid-sort': 'Sort by the sortable fields of the resource, with - in front for descending.',
  'invalid-fields': 'Name fields that the record has, as JSON Pointers with commas between.',
  'invalid-cursor': 'Start again from the first page; a cursor serves one query and 15 minutes.',
  'authentication-required':
    'Send a valid token in the Authorization header; this one is missing, expired or revoked.',
  'permission-denied': 'Ask the operator for a token with the permissions that the resource names.',
  'resource-not-found': 'Check the id. The record is absent, or not for you.',
  'method-not-allowed': 'Use GET, HEAD or OPTIONS: the API only reads.',
  'representation-not-acceptable': 'Accept application/json, or a media type that the resource lists.',
  'resource-gone': 'Drop your copy: the record was deleted.',
  'rate-limited': 'Wait retry_after_ms, then go on more slowly.',
  'internal-error': 'Try again later; report the request_id if it stays.',
  'service-unavailable': 'Wait retry_after_ms, then try again.',
};
