import type { AuthenticationMethod, Transition } from 'rostack-core';
import type { FieldDescription } from './describe-fields.ts';

/** What the page hands to its script. */
export interface ExplorerData {
  readonly discoveryUrl: string;
  /** Origins that the token may be sent to. */
  readonly origins: readonly string[];
  /** Path of the relay to the implementation; undefined if the page asks the implementation itself. */
  readonly relay: string | undefined;
  readonly methods: readonly AuthenticationMethod[];
  readonly maxPageSize: number;
  /** The names of all resources; each has a page of its own. */
  readonly names: readonly string[];
  /** The resource of this page. */
  readonly resource: ExplorerResource;
}

/** A resource as the script needs it. */
export interface ExplorerResource {
  readonly name: string;
  readonly collectionUrl: string;
  /** Reference tokens of the id in a record. */
  readonly idPath: readonly string[];
  readonly fields: readonly ExplorerField[];
  readonly events: readonly {
    readonly name: string;
    readonly transition: Transition;
  }[];
  readonly eventFiltering: boolean;
}

/** A field as the script needs it. */
export type ExplorerField = Pick<
  FieldDescription,
  'path' | 'types' | 'format' | 'values' | 'operators' | 'sortable' | 'nested' | 'description' | 'maxLength'
> & {
  readonly pointer: string;
  /** The pointer as reference tokens. */
  readonly tokens: readonly string[];
};

/** Header of the relay's answer when the implementation could not be reached. */
export const RELAY_FAILURE_HEADER = 'Rostack-Relay-Failure';

/** The id of the element that holds the data as JSON. */
export const EXPLORER_DATA_ID = 'explorer-data';

/** The id of the element that the script fills. */
export const EXPLORER_ROOT_ID = 'explorer';

/** The ids of what changes with the resource that is shown, and of the links to their pages. */
export const RESOURCE_TITLE_ID = 'resource-title';
export const REFERENCE_ID = 'reference';
export const RESOURCE_LIST_ID = 'resources';

/** The page of a resource, relative to the page of another one. */
export const resourcePage = (name: string): string => `?resource=${name}`;
