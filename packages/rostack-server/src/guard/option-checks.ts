import {
  type Collations,
  expecting,
  fieldCollations,
  type ImplementedResource,
  type JsonSchema,
  type OptionCheck,
  objectWith,
  optional,
  type Resource,
  type SchemaDocuments,
} from 'rostack-core';

export const MIN_KEY_BYTES = 32;

/** A secret that keys an HMAC. */
export const aSecretKey: OptionCheck = expecting(
  `a Uint8Array of at least ${MIN_KEY_BYTES} bytes`,
  (value) => value instanceof Uint8Array && value.byteLength >= MIN_KEY_BYTES,
);

/** A number above 0; `Infinity` means no limit. */
export const aPositiveNumber: OptionCheck = expecting(
  'a number above 0',
  (value) => typeof value === 'number' && value > 0,
);

export const aMap: OptionCheck = expecting('a Map', (value) => value instanceof Map);

export const aRateLimiter: OptionCheck = objectWith('consume');

/** The prefix that a proxy strips from paths; nothing if it is omitted. */
export const aStrippedPrefix: OptionCheck = optional(
  expecting(
    'a path such as "/rostack", or an empty string',
    (value) => typeof value === 'string' && (value === '' || (value.startsWith('/') && !value.endsWith('/'))),
  ),
);

/** Accepted values of the Host field; if omitted, the hosts of the advertised URLs. */
export const servedHosts: OptionCheck = optional(
  expecting(
    "'any' or an array of hosts",
    (value) => value === 'any' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
  ),
);

/** Methods that every record source has. */
const SOURCE_METHODS = ['head', 'page', 'get', 'tagAt', 'read', 'watch'] as const;

export const aRecordSource: OptionCheck = objectWith(...SOURCE_METHODS);

/** The part of a discovery document that is needed to check the rest. */
export const aDiscoveryDocument: OptionCheck = expecting(
  'a discovery document, as defineImplementation makes it',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    ['implementation', 'endpoints', 'authentication', 'capabilities', 'resources'].every(
      (member) => typeof (value as Readonly<Record<string, unknown>>)[member] === 'object',
    ),
);

/** The part of a resource that says which rows and fields are visible. */
export type VisibleParts = Pick<ImplementedResource, 'visible' | 'hidden'>;

/**
 * The resource with a name. A missing one is a fault, since its rules would be missing too.
 * @param faults filled with a sentence for each fault
 */
export function ruledResource<Ruled extends VisibleParts>(
  name: string,
  resources: Readonly<Record<string, Ruled>>,
  faults: string[],
): Ruled | undefined {
  const resource = Object.hasOwn(resources, name) ? resources[name] : undefined;
  if (typeof resource === 'object' && resource !== null && isRuled(resource)) return resource;
  faults.push(
    `Pass the resource ${name} in resources, as defineImplementation makes it: it says which rows and fields are visible.`,
  );
  return undefined;
}

function isRuled({ visible, hidden }: VisibleParts): boolean {
  return (visible === undefined || typeof visible === 'function') && Array.isArray(hidden);
}

/** The collations of each descriptor, with their inputs. */
const known = new WeakMap<
  Resource,
  Readonly<{ schemas: unknown; resource: unknown; collations: Collations }>
>();

/** The collations of a resource's fields: the same object for lists and for subscriptions, so that each field is looked up once. */
export function collationsOf(
  descriptor: Resource,
  schemas: ReadonlyMap<string, JsonSchema | boolean>,
  resource: Partial<Pick<ImplementedResource, 'schema' | 'schemaUrl'>> | undefined,
): Collations {
  const before = known.get(descriptor);
  if (before?.schemas === schemas && before.resource === resource) return before.collations;
  const collations = fieldCollations(descriptor, withRecordSchema(schemas, resource));
  known.set(descriptor, { schemas, resource, collations });
  return collations;
}

/** The schemas by URL, with the stored record's schema in place of the served one, because filters also compare hidden fields. */
function withRecordSchema(
  schemas: ReadonlyMap<string, JsonSchema | boolean>,
  resource: Partial<Pick<ImplementedResource, 'schema' | 'schemaUrl'>> | undefined,
): SchemaDocuments {
  const { schema, schemaUrl } = resource ?? {};
  if (schema === undefined || schemaUrl === undefined) return schemas;
  return {
    get: (url) => (url === schemaUrl ? schema : schemas.get(url)),
    *[Symbol.iterator]() {
      for (const entry of schemas) if (entry[0] !== schemaUrl) yield entry;
      yield [schemaUrl, schema];
    },
  };
}
