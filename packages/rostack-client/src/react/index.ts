export type { FollowQuery } from './follow-query.ts';
export type { FollowState } from './follow-state.ts';
export {
  RostackProvider,
  type RostackProviderProps,
  useFollow,
  useRecord,
  useRostack,
} from './hooks.ts';
export { type InitialRecords, readInitial } from './initial-records.ts';
export type { ProvidedClient } from './provided-client.ts';
