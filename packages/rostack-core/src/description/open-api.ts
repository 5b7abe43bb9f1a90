import type { JsonSchema } from '../schema/graph/json-schema.ts';
import { SCHEMA_ID_BASES } from '../schema/schema-id-bases.ts';
import type { JsonObject } from '../text/json.ts';
import { type Authentication, SHARED_TOKEN_SCHEME } from '../wire/discovery/authentication-model.ts';
import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import { detectRelease } from '../wire/discovery/parse-discovery.ts';
import { PROTOCOL_VERSION } from '../wire/release/release.ts';
import { releaseSchemas } from '../wire/zod/models.ts';
import { componentNames } from './component-names.ts';
import { filterComponents } from './filter-schema.ts';
import {
  discoveryOperation,
  itemOperation,
  listOperation,
  type OperationContext,
} from './open-api-operations.ts';
import { schemaComponents } from './schema-components.ts';

/** Any problem of RFC 9457: release 2026-08-12 has no schema of its own for them. */
const ANY_PROBLEM: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 100, maximum: 599 },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri-reference' },
  },
};

/**
 * The JSON API of an implementation as an OpenAPI 3.1 document: discovery, and for each resource its list and its items, with
 * parameters, representations, problems and permissions. OpenAPI has no place for a URL with a query, nor for two URLs of one path on
 * two hosts. The document's description names what is left out because of that.
 * @param schemas by URL: those that discovery advertises, and all that they refer to
 * @see protocol sections 2 and 5; OpenAPI 3.1.1
 */
export function openApiOf(
  discovery: AnyDiscoveryDocument,
  schemas: ReadonlyMap<string, JsonSchema>,
): JsonObject {
  const { implementation, endpoints, authentication, resources } = discovery;
  const filters = filterComponents(discovery, schemas);
  const release = detectRelease(discovery);
  const documents = new Map(schemas);
  const names = new Map(
    componentNames(discovery, schemas.keys(), ['discovery', 'problem', ...Object.keys(filters)]),
  );
  for (const name of ['discovery', 'problem']) {
    const url = `${SCHEMA_ID_BASES[release]}${name}.schema.json`;
    documents.set(url, releaseSchemas(release).get(`${name}.schema.json`) ?? ANY_PROBLEM);
    names.set(url, name);
  }
  const components = schemaComponents(documents, names, Object.keys(filters));
  const securitySchemes = securitySchemesOf(authentication);
  const context: OperationContext = { discovery, components, schemeNames: Object.keys(securitySchemes) };
  const base = endpoints.json_api.replace(/\/$/, '');
  const { paths, leftOut } = pathsOf(base, [
    discoveryOperation(context),
    ...resources.flatMap((resource) => [listOperation(context, resource), itemOperation(context, resource)]),
  ]);
  const description = [
    `The JSON API of ${implementation.id}, by ${PROTOCOL_VERSION}: it is read-only.`,
    ...(leftOut.length > 0 ? [`OpenAPI has no place for: ${leftOut.join(', ')}.`] : []),
  ];
  return {
    openapi: '3.1.1',
    info: {
      title: implementation.name,
      version: implementation.api_version,
      description: description.join(' '),
    },
    ...(implementation.documentation_url !== undefined && {
      externalDocs: { url: implementation.documentation_url },
    }),
    servers: [{ url: base }],
    tags: resources.map(({ name, description: text }) => ({
      name,
      description: text ?? `Records of ${name}`,
    })),
    paths,
    components: { schemas: { ...components.schemas, ...filters }, securitySchemes },
  };
}

/**
 * How callers authenticate (protocol section 4). Discovery does not list OAuth flows, only where the authorization server describes
 * them. Permissions are the scopes or grants that each operation lists.
 */
function securitySchemesOf({ methods }: Authentication): Readonly<Record<string, JsonObject>> {
  const named = methods.map((method, at): [string, JsonObject] => {
    const isRepeated = methods.slice(0, at).some(({ type }) => type === method.type);
    const name = isRepeated ? `${method.type}_${at + 1}` : method.type;
    if (method.type === 'oauth2') {
      const description = `OAuth 2.0 access token (RFC 6750). Metadata of the authorization server (RFC 8414): ${method.authorization_server_metadata}`;
      return [name, { type: 'http', scheme: 'bearer', description }];
    }
    const what = method.description ?? 'A token that the operator hands out.';
    // Tools send nothing for a scheme of HTTP that they do not know.
    const description = `${what} The value is \`${SHARED_TOKEN_SCHEME}\`, a space, and the token.`;
    return [name, { type: 'apiKey', in: 'header', name: 'Authorization', description }];
  });
  return Object.fromEntries(named);
}

// https-origin path [ "?" query ]; a fragment makes no difference
const URL_PARTS = /^(https:\/\/[^/?#]+)([^?#]*)(\?[^#]*)?/;

function pathsOf(
  base: string,
  operations: readonly { readonly url: string; readonly operation: JsonObject }[],
): { readonly paths: JsonObject; readonly leftOut: readonly string[] } {
  const paths: Record<string, JsonObject> = {};
  const leftOut: string[] = [];
  for (const { url, operation } of operations) {
    const [, origin = '', pathname = '', query] = URL_PARTS.exec(url) ?? [];
    const isInside = url.startsWith(`${base}/`);
    const path = isInside ? url.slice(base.length) : pathname || '/';
    if (query !== undefined || Object.hasOwn(paths, path)) leftOut.push(url);
    else paths[path] = { ...(!isInside && { servers: [{ url: origin }] }), get: operation };
  }
  return { paths, leftOut };
}
