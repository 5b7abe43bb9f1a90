import type { DiscoveryDocument, Transition } from 'rostack-core';
import type { FieldDescription } from './description/field-description.ts';

/** What the page hands to its script. */
export interface ExplorerData {
  readonly discoveryUrl: string;
  /** Origins besides that of discovery that the implementation serves from. */
  readonly trustedOrigins: readonly string[];
  readonly methods: readonly DiscoveryDocument['authentication']['methods'][number]['type'][];
  readonly maxPageSize: number;
  readonly resources: readonly ExplorerResource[];
}

/** A resource as the script needs it. */
export interface ExplorerResource {
  readonly name: string;
  readonly collectionUrl: string;
  readonly itemUrlTemplate: string;
  /** Reference tokens of the id in a record. */
  readonly idPath: readonly string[];
  readonly fields: readonly ExplorerField[];
  readonly events: readonly {
    readonly name: string;
    readonly transition: Transition;
  }[];
  readonly eventFiltering: boolean;
  readonly readPermissions: readonly string[];
  readonly subscribePermissions: readonly string[];
}

/** A field as the script needs it. */
export type ExplorerField = Pick<
  FieldDescription,
  'path' | 'types' | 'format' | 'values' | 'operators' | 'sortable' | 'nested' | 'description'
> & {
  readonly pointer: string;
  /** The pointer as reference tokens. */
  readonly tokens: readonly string[];
};

/** The id of the element that holds the data as JSON. */
export const EXPLORER_DATA_ID = 'explorer-data';

/** The id of the element that the script fills. */
export const EXPLORER_ROOT_ID = 'explorer';
