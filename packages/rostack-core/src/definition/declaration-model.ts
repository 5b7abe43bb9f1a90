import { z } from 'zod';
import { type Fault, validate } from '../model/fault.ts';
import { HTTPS_URL_PATTERN } from '../model/uri-pattern.ts';
import { TRANSITIONS } from '../record/change.ts';
import { RELEASES } from '../release/release.ts';

// Checks which members a declaration has and their types, for callers without TypeScript. The values are checked later,
// in the discovery document that is made from them.
const text = z.string();
const model = z.custom(
  (value) => typeof value === 'object' && value !== null,
  'must be a Zod model or a JSON Schema',
);

const projection = z.strictObject({ model, project: z.custom((value) => typeof value === 'function') });

const event = z.strictObject({
  transition: z.enum(TRANSITIONS),
  description: text.optional(),
  carries: z.union([z.enum(['record', 'nothing']), projection]).optional(),
  tombstone: z.boolean().optional(),
});

const resource = z.strictObject({
  description: text.optional(),
  model,
  id: text.optional(),
  readPermissions: z.array(text),
  subscribePermissions: z.array(text).optional(),
  filterable: z.record(text, z.union([z.literal('all'), z.array(text)])).optional(),
  sortable: z.array(text).optional(),
  events: z.record(text, event).optional(),
  eventFiltering: z.boolean().optional(),
  representations: z
    .array(z.strictObject({ mediaType: text, model, description: text.optional() }))
    .optional(),
  collectionUrl: text.optional(),
  itemUrlTemplate: text.optional(),
});

const authorizationServer = z.strictObject({ metadataUrl: text });

const limit = z.number().optional();

const declarationModel = z.strictObject({
  release: z.enum(RELEASES).optional(),
  id: text,
  name: text,
  apiVersion: text,
  documentationUrl: text,
  baseUrl: text
    .regex(HTTPS_URL_PATTERN, 'must be an absolute https URL')
    .regex(/^[^?#]*$/, 'must have no query'),
  urls: z
    .strictObject({
      discovery: text.optional(),
      jsonApi: text.optional(),
      websocket: text.optional(),
      schemas: text.optional(),
    })
    .optional(),
  authentication: z
    .strictObject({
      sharedToken: z.union([z.boolean(), z.strictObject({ description: text.optional() })]).optional(),
      oauth2: z.union([authorizationServer, z.array(authorizationServer).min(1)]).optional(),
      discoveryPublic: z.boolean().optional(),
    })
    .optional(),
  permissions: z.record(text, text),
  limits: z
    .strictObject({
      maxPageSize: limit,
      authenticationTimeoutMs: limit,
      heartbeatIntervalMs: limit,
      heartbeatTimeoutMs: limit,
      reconnectMinDelayMs: limit,
      reconnectMaxDelayMs: limit,
      discoveryRefreshAfterMs: limit,
    })
    .optional(),
  eventEncodings: z.array(text).optional(),
  compression: z.boolean().optional(),
  errors: z.strictObject({ http: z.array(z.unknown()), websocket: z.array(z.unknown()) }).optional(),
  alternateVersions: z.array(z.strictObject({ apiVersion: text, discoveryUrl: text })).optional(),
  resources: z.record(text, resource),
});

/** Members that are missing, unknown or of the wrong type, and those that the declared release does not have. */
export function declarationFaults(declaration: unknown): readonly Fault[] {
  const result = validate(declarationModel, declaration);
  if (!result.ok) return result.faults.map((fault) => ({ ...fault, check: 'definition' }));
  const { release, errors } = result.value;
  if (release !== '2026-08-12' || errors === undefined) return [];
  const message = `must be left out: documents of release ${release} do not declare errors`;
  return [{ check: 'definition', path: '/errors', message }];
}
