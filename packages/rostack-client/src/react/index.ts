export type { FollowQuery } from './follow-query.ts';
export type { FollowState, KnownFollowState } from './follow-state.ts';
export {
  RostackProvider,
  type RostackProviderProps,
  useChanges,
  useFollow,
  useRecord,
  useRostack,
  useSuspenseFollow,
} from './hooks.ts';
export { type InitialRecords, readInitial } from './initial-records.ts';
export type { ProvidedClient } from './provided-client.ts';
export { type TypedFollowQuery, type TypedHooks, typedHooks } from './typed-hooks.ts';
