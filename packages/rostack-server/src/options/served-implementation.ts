import {
  type AnyDiscoveryDocument,
  anObject,
  type ImplementedResource,
  type JsonSchema,
  type OptionCheck,
} from 'rostack-core';
import { aDiscoveryDocument, aMap } from '../guard/option-checks.ts';

/** What `defineImplementation` of rostack-core returns, as far as it is served. */
export interface ServedImplementation {
  /** The document that is served, and that the server keeps to. */
  readonly discovery: AnyDiscoveryDocument;
  /** The owned schemas by the URL that they are advertised at. Data of events is checked against its own. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /**
   * By name: which rows and fields a principal may see of each, and how event data is made. Without `events`, data is the record; before
   * a delete if it leaves a tombstone.
   */
  readonly resources: Readonly<
    Record<
      string,
      Pick<ImplementedResource, 'visible' | 'hidden' | 'requires' | 'schema' | 'schemaUrl'> &
        Partial<Pick<ImplementedResource, 'events'>>
    >
  >;
}

/** It may have more than is used here. */
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
