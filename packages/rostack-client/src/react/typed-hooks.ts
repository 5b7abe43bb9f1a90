import type { ImplementationTypes, RecordId, ResourceTypes, Typed, TypesOf } from 'rostack-core';
import type { Listed, TypedClient, TypedFollowOptions } from '../client/typed-client.ts';
import type { FollowChange } from '../follow/follow-change.ts';
import type { FollowState, KnownFollowState } from './follow-state.ts';
import { useChanges, useFollow, useRecord, useRostack, useSuspenseFollow } from './hooks.ts';
import { type InitialRecords, readInitial } from './initial-records.ts';

/** `FollowQuery` for a resource whose types are known. */
export type TypedFollowQuery<Types extends ResourceTypes, Field extends string, Output> = Omit<
  TypedFollowOptions<Types, Field, Output>,
  'signal'
>;

/** The hooks for an implementation whose types are known: its resources, records, filters, fields and events. */
export interface TypedHooks<Types extends ImplementationTypes> {
  /**
   * The client of the surrounding provider, with the types of the implementation; undefined until it is connected.
   * @see useRostack
   */
  readonly useRostack: () => TypedClient<Types> | undefined;
  /**
   * The records of a resource that match a filter, or the first of them, up to date; with `fields`, the chosen parts.
   * @see useFollow
   */
  readonly useFollow: <
    Name extends keyof Types & string,
    const Field extends string = never,
    Output = Listed<Types[Name], Field>,
  >(
    resource: Name,
    query?: TypedFollowQuery<Types[Name], Field, Output>,
  ) => FollowState<Output>;
  /** Like `useFollow`, for a component within `Suspense`. @see useSuspenseFollow */
  readonly useSuspenseFollow: <
    Name extends keyof Types & string,
    const Field extends string = never,
    Output = Listed<Types[Name], Field>,
  >(
    resource: Name,
    query?: TypedFollowQuery<Types[Name], Field, Output>,
  ) => KnownFollowState<Output>;
  /**
   * One record of that follow, by its id or the text of it; undefined if the follow does not hold it, or not yet.
   * @see useRecord
   */
  readonly useRecord: <
    Name extends keyof Types & string,
    const Field extends string = never,
    Output = Listed<Types[Name], Field>,
  >(
    resource: Name,
    id: RecordId,
    query?: TypedFollowQuery<Types[Name], Field, Output>,
  ) => Output | undefined;
  /**
   * Calls `onChange` for each change of that follow; `change.event.eventType` is a name of the resource's events.
   * @see useChanges
   */
  readonly useChanges: <
    Name extends keyof Types & string,
    const Field extends string = never,
    Output = Listed<Types[Name], Field>,
  >(
    resource: Name,
    onChange: (change: FollowChange<Output, keyof Types[Name]['events'] & string>) => void,
    query?: TypedFollowQuery<Types[Name], Field, Output>,
  ) => void;
  /** Reads on a server what `useFollow` with the same arguments will show. @see readInitial */
  readonly readInitial: <
    Name extends keyof Types & string,
    const Field extends string = never,
    Output = Listed<Types[Name], Field>,
  >(
    client: TypedClient<Types>,
    resource: Name,
    query?: TypedFollowQuery<Types[Name], Field, Output>,
  ) => Promise<InitialRecords>;
}

const HOOKS = { useRostack, useFollow, useSuspenseFollow, useRecord, useChanges, readInitial };

/**
 * The hooks with the types of an implementation, `typedHooks<typeof implementation>()`: the same functions, called once outside of
 * components. As with `connect`, nothing checks that the server keeps to these types.
 */
export function typedHooks<Implementation extends Typed<ImplementationTypes>>(): TypedHooks<
  TypesOf<Implementation>
> {
  return HOOKS as unknown as TypedHooks<TypesOf<Implementation>>;
}
