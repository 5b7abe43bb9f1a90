import { FILTER_OPERATOR_NAMES } from '../query/filter/operator-names.ts';
import type { WithoutFields } from '../query/projection/selected-fields.ts';
import type { JsonSchema } from '../schema/graph/json-schema.ts';
import { SHARED_TOKEN_SCHEME } from '../wire/discovery/authentication-model.ts';
import type { DiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import { DiscoveryError, parseDiscovery } from '../wire/discovery/parse-discovery.ts';
import { EVENT_ENCODINGS } from '../wire/message/shared-models.ts';
import { defineFaultsError, type Fault } from '../wire/model/fault.ts';
import { DEFAULT_RELEASE, PROTOCOL_VERSION, type Release } from '../wire/release/release.ts';
import type {
  AuthorizationServer,
  ImplementationDeclaration,
  ResourceDeclaration,
} from './declaration/declaration.ts';
import type { DeclarationChecks } from './declaration/declaration-mistakes.ts';
import { declarationFaults } from './declaration/declaration-model.ts';
import { declarationPath } from './declaration/declaration-path.ts';
import { defaultErrors } from './declaration/default-errors.ts';
import { addSchemas, defineResource } from './define-resource.ts';
import { type ImplementationUrls, implementationUrls, schemaUrl } from './implementation-urls.ts';
import type { ImplementedResource } from './implemented-resource.ts';
import type { DeclaredTypes, ImplementationTypes, Typed } from './resource-types.ts';
import { createOwnedSchemas, fault, NO_DATA_NAME } from './schema/owned-schemas.ts';
import type { RecordModel, RecordOf } from './schema/record-model.ts';

/** A declaration is invalid; the `path` of each fault is a JSON Pointer into the declaration. */
export class DefinitionError extends defineFaultsError(
  'DefinitionError',
  'invalid_definition',
  'the implementation cannot be defined',
) {}

/** The type of the document for a release. That of 2026-08-12 only lacks `errors`. */
export type DefinedDocument<DefinedRelease extends Release> = DefinedRelease extends '2026-08-12'
  ? Omit<DiscoveryDocument, 'errors'>
  : DiscoveryDocument;

/** A valid implementation: its discovery document, the schemas to serve, and the resources as adapters use them. */
export interface ImplementationDefinition<
  Types extends ImplementationTypes = ImplementationTypes,
  DefinedRelease extends Release = Release,
> extends Typed<Types> {
  /** The document to serve at `discovery.endpoints.discovery`. */
  readonly discovery: DefinedDocument<DefinedRelease>;
  /** By URL: every schema that the document advertises, and every shared one, closed, with its URL as `$id`. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** By name. */
  readonly resources: Readonly<Record<keyof Types & string, ImplementedResource>>;
}

/**
 * Turns a short declaration into a complete discovery document, with the schemas that it advertises. The rules are those of release
 * 2026-08-13, the stricter one, no matter which release the document has. URLs follow from `baseUrl`; each other default is documented
 * at its member. Objects that a model leaves open are closed, and objects that are open on purpose are rejected. The types of records,
 * filters and events follow from the models and the declaration; anything that does not fit them does not compile.
 * @throws DefinitionError code `invalid_definition`, with every mistake: a JSON Pointer into the declaration and a sentence
 * @see protocol section 2
 */
export function defineImplementation<
  const PermissionName extends string,
  Models extends Readonly<Record<string, RecordModel>>,
  const Details extends { readonly [Name in keyof Models]: object },
  Hidden extends { readonly [Name in keyof Models]: unknown },
  const DeclaredRelease extends Release = typeof DEFAULT_RELEASE,
>(
  declaration: ImplementationDeclaration<
    PermissionName,
    {
      readonly [Name in keyof Models]: ResourceDeclaration<
        NoInfer<PermissionName>,
        Models[Name],
        WithoutFields<RecordOf<Models[Name]>, keyof Hidden[Name]>
      >;
    } & { readonly [Name in keyof Hidden]: { readonly hidden?: Hidden[Name] } } & Details &
      DeclarationChecks<Models, Details>,
    DeclaredRelease
  >,
): ImplementationDefinition<
  { readonly [Name in keyof Models & string]: DeclaredTypes<Models[Name], Details[Name]> },
  DeclaredRelease
>;
export function defineImplementation(declaration: ImplementationDeclaration): ImplementationDefinition {
  const shapeFaults = declarationFaults(declaration);
  if (shapeFaults.length > 0) throw new DefinitionError(shapeFaults);

  const urls = implementationUrls(declaration);
  const owned = createOwnedSchemas();
  const faults: Fault[] = [];
  const declared = Object.entries<ResourceDeclaration>(declaration.resources);
  const context = { urls, owned, faults, stored: new Map<string, JsonSchema>() };
  for (const [name, resource] of declared) addSchemas(name, resource, context);
  for (const [name, model] of Object.entries(declaration.schemas ?? {})) {
    if (name === NO_DATA_NAME) {
      faults.push(fault(['schemas', name], `${name} is the name of another schema; write one of its own`));
    } else owned.add(schemaUrl(urls, name), model, ['schemas', name]);
  }
  const schemaFaults = owned.finish();
  const resources = declared.map(([name, resource]) => defineResource(name, resource, context));
  const document = describe(declaration, urls, resources);
  const all = [
    ...schemaFaults,
    ...faults,
    ...unknownPermissions(declaration),
    ...discoveryFaults(document, declaration),
  ];
  if (all.length > 0) throw new DefinitionError(all);
  return {
    discovery: ofRelease(document, declaration.release ?? DEFAULT_RELEASE),
    schemas: owned.schemas,
    resources: Object.fromEntries(resources.map((resource) => [resource.name, resource])),
  };
}

/** Permissions of hidden fields and representations: discovery does not list them, so its checks do not cover them. */
function unknownPermissions({ permissions, resources }: ImplementationDeclaration): readonly Fault[] {
  return Object.entries<ResourceDeclaration>(resources).flatMap(
    ([name, { hidden = {}, representations = [] }]) =>
      [
        ...Object.entries(hidden).map(([pointer, needed]) => ({ at: ['hidden', pointer], needed })),
        ...representations.map(({ permissions: needed = [] }, index) => ({
          at: ['representations', index, 'permissions'],
          needed,
        })),
      ].flatMap(({ at, needed }) =>
        needed.flatMap((permission, index) =>
          Object.hasOwn(permissions, permission)
            ? []
            : [
                fault(
                  ['resources', name, ...at, index],
                  `${JSON.stringify(permission)} must be ${listedIn(permissions)}`,
                ),
              ],
        ),
      ),
  );
}

function ofRelease(document: DiscoveryDocument, release: Release): DefinedDocument<Release> {
  if (release === '2026-08-13') return document;
  const { errors: _, ...older } = document;
  return older;
}

function describe(
  declaration: ImplementationDeclaration,
  urls: ImplementationUrls,
  resources: readonly ImplementedResource[],
): DiscoveryDocument {
  const { limits = {}, alternateVersions } = declaration;
  const used = new Set(
    resources.flatMap(({ filtering }) => Object.values(filtering.filterable_fields).flat()),
  );
  return {
    protocol: { name: 'rostack', version: PROTOCOL_VERSION },
    implementation: {
      id: declaration.id,
      name: declaration.name,
      api_version: declaration.apiVersion,
      documentation_url: declaration.documentationUrl,
    },
    endpoints: { discovery: urls.discovery, json_api: urls.jsonApi, websocket: urls.websocket },
    authentication: authentication(declaration),
    capabilities: {
      filter_operators: FILTER_OPERATOR_NAMES.filter((operator) => used.has(operator)),
      max_page_size: limits.maxPageSize ?? 200,
      websocket: {
        event_encodings: [...(declaration.eventEncodings ?? EVENT_ENCODINGS)],
        extensions: declaration.compression === true ? ['permessage-deflate'] : [],
        authentication_timeout_ms: limits.authenticationTimeoutMs ?? 10_000,
        heartbeat_interval_ms: limits.heartbeatIntervalMs ?? 30_000,
        heartbeat_timeout_ms: limits.heartbeatTimeoutMs ?? 10_000,
        reconnect_min_delay_ms: limits.reconnectMinDelayMs ?? 500,
        reconnect_max_delay_ms: limits.reconnectMaxDelayMs ?? 30_000,
        discovery_refresh_after_ms: limits.discoveryRefreshAfterMs ?? 3_600_000,
      },
    },
    errors: declaration.errors ?? defaultErrors(declaration.authentication?.discoveryPublic ?? true),
    resources: resources.map(({ descriptor }) => descriptor),
    ...(alternateVersions === undefined
      ? {}
      : {
          alternate_versions: alternateVersions.map(({ apiVersion, discoveryUrl }) => ({
            api_version: apiVersion,
            discovery_url: discoveryUrl,
          })),
        }),
  };
}

function authentication(declaration: ImplementationDeclaration): DiscoveryDocument['authentication'] {
  const {
    sharedToken = declaration.authentication?.oauth2 === undefined,
    oauth2,
    discoveryPublic = true,
  } = declaration.authentication ?? {};
  const methods: DiscoveryDocument['authentication']['methods'] = [];
  const servers: readonly AuthorizationServer[] =
    oauth2 === undefined ? [] : 'metadataUrl' in oauth2 ? [oauth2] : oauth2;
  for (const { metadataUrl } of servers) {
    methods.push({ type: 'oauth2', authorization_server_metadata: metadataUrl });
  }
  if (sharedToken !== false) {
    const description = sharedToken === true ? undefined : sharedToken.description;
    methods.push({
      type: 'shared_token',
      http_authorization_scheme: SHARED_TOKEN_SCHEME,
      provisioning: 'out_of_band',
      ...(description === undefined ? {} : { description }),
    });
  }
  return { discovery_public: discoveryPublic, methods, permissions: { ...declaration.permissions } };
}

const listedIn = (permissions: ImplementationDeclaration['permissions']): string =>
  `listed in permissions, which has: ${Object.keys(permissions).join(', ')}`;

function discoveryFaults(
  document: DiscoveryDocument,
  declaration: ImplementationDeclaration,
): readonly Fault[] {
  try {
    parseDiscovery(document);
    return [];
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error;
    return error.faults.map((fault) => ({
      ...fault,
      path: declarationPath(fault.path, declaration),
      // Discovery and the declaration keep the registry in different places.
      message: fault.message.replace('listed in authentication.permissions', () =>
        listedIn(declaration.permissions),
      ),
    }));
  }
}
