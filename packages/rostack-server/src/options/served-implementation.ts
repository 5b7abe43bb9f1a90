import {
  type AnyDiscoveryDocument,
  anObject,
  type ImplementedResource,
  type JsonSchema,
  type OptionCheck,
} from 'rostack-core';
import { aDiscoveryDocument, aMap } from '../guard/option-checks.ts';

/** The part of the result of rostack-core's `defineImplementation` that is served. */
export interface ServedImplementation {
  /** The document that is served, and whose promises the server keeps. */
  readonly discovery: AnyDiscoveryDocument;
  /** The owned schemas by the URL at which they are advertised. Event data is checked against its schema. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /**
   * By name: which rows and fields of each a principal may see, and how event data is made. Without `events`, data is the record; for a
   * delete with a tombstone, the record before it.
   */
  readonly resources: Readonly<
    Record<
      string,
      Pick<ImplementedResource, 'visible' | 'hidden' | 'requires' | 'schema' | 'schemaUrl'> &
        Partial<Pick<ImplementedResource, 'events'>>
    >
  >;
}

/** It may have more members than are used here. */
export const anImplementation: OptionCheck = (value, name) => {
  const fault = anObject(value, name);
  if (fault !== undefined) return `${fault}, as defineImplementation of rostack-core makes it`;
  const { discovery, schemas, resources } = value as Partial<ServedImplementation>;
  return (
    aDiscoveryDocument(discovery, `${name}.discovery`) ??
    aMap(schemas, `${name}.schemas`) ??
    anObject(resources, `${name}.resources`)
  );
};
