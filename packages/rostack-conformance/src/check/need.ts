import type { AnyDiscoveryDocument } from 'rostack-core';
import type { Driver } from './driver.ts';
import type { Tokens } from './tokens.ts';

/** What is available in a run. */
export interface Given {
  readonly discovery: AnyDiscoveryDocument;
  readonly tokens: Tokens;
  readonly driver?: Driver | undefined;
}

interface NeedDefinition {
  /** Why a check that needs it is skipped. */
  readonly reason: string;
  readonly isMet: (given: Given) => boolean;
}

/** What a check may need from the target or from the person who runs it. If it is missing, the check is skipped. */
export const NEEDS = {
  token: { reason: 'no token', isMet: ({ tokens }) => tokens.hasMain },
  'second-token': { reason: 'no second token', isMet: ({ tokens }) => tokens.second !== undefined },
  'poor-token': { reason: 'no token without permissions', isMet: ({ tokens }) => tokens.poor !== undefined },
  driver: { reason: 'no driver', isMet: ({ driver }) => driver !== undefined },
  events: {
    reason: 'not claimed: no resource has events',
    isMet: ({ discovery }) => discovery.resources.some(({ events }) => events.length > 0),
  },
  'event-filtering': {
    reason: 'not claimed: no resource has event_filtering',
    isMet: ({ discovery }) => discovery.resources.some(({ event_filtering }) => event_filtering === true),
  },
  'compact-json': {
    reason: 'not claimed: compact-json',
    isMet: ({ discovery }) => discovery.capabilities.websocket.event_encodings.includes('compact-json'),
  },
  'permessage-deflate': {
    reason: 'not claimed: permessage-deflate',
    isMet: ({ discovery }) => discovery.capabilities.websocket.extensions.includes('permessage-deflate'),
  },
  filters: {
    reason: 'not claimed: no resource can be filtered',
    isMet: ({ discovery }) =>
      discovery.resources.some(({ filtering }) => Object.keys(filtering.filterable_fields).length > 0),
  },
  sorting: {
    reason: 'not claimed: no resource can be sorted',
    isMet: ({ discovery }) =>
      discovery.resources.some(({ filtering }) => filtering.sortable_fields.length > 0),
  },
  oauth2: {
    reason: 'not claimed: oauth2',
    isMet: ({ discovery }) => discovery.authentication.methods.some(({ type }) => type === 'oauth2'),
  },
  'shared-token': {
    reason: 'not claimed: shared_token',
    isMet: ({ discovery }) => discovery.authentication.methods.some(({ type }) => type === 'shared_token'),
  },
} as const satisfies Readonly<Record<string, NeedDefinition>>;

/** The name of something that a check needs. */
export type Need = keyof typeof NEEDS;

/** The reason to skip a check, if something that it needs is missing. */
export const missingNeed = (needs: readonly Need[], given: Given): string | undefined => {
  const missing = needs.find((need) => !NEEDS[need].isMet(given));
  return missing && NEEDS[missing].reason;
};
