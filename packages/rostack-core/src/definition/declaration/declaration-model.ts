import { FILTER_OPERATOR_NAMES } from '../../query/filter/operator-names.ts';
import { TRANSITIONS } from '../../record/change.ts';
import type { RowRuleField, RowRuleWithFields } from '../../record/visibility/visibility.ts';
import { type Fault } from '../../wire/model/fault.ts';
import {
  any,
  array,
  boolean,
  custom,
  literal,
  map,
  object,
  optional,
  string,
  textOf,
  typed,
} from '../../wire/model/model.ts';
import { HTTPS_URL_PATTERN } from '../../wire/model/uri-pattern.ts';
import { validate } from '../../wire/model/validate.ts';
import { RELEASES } from '../../wire/release/release.ts';

// Checks which members a declaration has and their types, for callers without TypeScript. The values are checked later,
// in the discovery document that is made from them. A model can be a function: those of some libraries are.
const model = custom(
  (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
  'must be a Zod model or a JSON Schema',
);

// RFC 9110 section 5.5, without obs-text: the API version is the value of X-Rostack-API-Version.
const fieldValue = textOf({
  test: (text) => /^[!-~](?:[ -~]*[!-~])?$/.test(text),
  message: 'must be printable ASCII without a space at either end, since a header field carries it',
});

const aFunction = custom((value) => typeof value === 'function', 'must be a function');

const event = object({
  transition: literal(...TRANSITIONS),
  description: optional(string),
  carries: optional(
    typed({ string: literal('record', 'nothing'), object: object({ model, project: aFunction }) }),
  ),
  tombstone: optional(boolean),
});

const aRowRule = custom(
  (value) => typeof value === 'function' || isRuleWithFields(value),
  'must be a function, or an object of a function as rule and an array of fields',
);

function isRuleWithFields(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { rule, fields } = value as Partial<RowRuleWithFields>;
  return typeof rule === 'function' && Array.isArray(fields) && fields.every(isRuleField);
}

const isRuleField = (field: unknown): boolean =>
  typeof field === 'object' &&
  field !== null &&
  typeof (field as Partial<RowRuleField>).pointer === 'string' &&
  FILTER_OPERATOR_NAMES.some((name) => name === (field as Partial<RowRuleField>).operator);

const resource = object({
  description: optional(string),
  model,
  id: optional(string),
  readPermissions: array(string),
  subscribePermissions: optional(array(string)),
  filterable: optional(map(typed({ string: literal('all'), array: array(string) }))),
  sortable: optional(array(string)),
  events: optional(map(event)),
  eventFiltering: optional(boolean),
  hidden: optional(map(array(string, { emptyFault: 'must name at least one permission' }))),
  visible: optional(aRowRule),
  representations: optional(
    array(
      object({
        mediaType: string,
        model,
        description: optional(string),
        permissions: optional(array(string)),
      }),
    ),
  ),
  collectionUrl: optional(string),
  itemUrlTemplate: optional(string),
});

const authorizationServer = object({ metadataUrl: string });

const limit = optional(custom((value) => typeof value === 'number', 'must be of type number'));

const baseUrl = textOf({
  test: (text) => HTTPS_URL_PATTERN.test(text) && !/[?#]/.test(text),
  message: 'must be an absolute https URL, and must have no query',
});

const schemaName = {
  test: (name: string) => /^[a-z][a-z0-9-]*$/.test(name),
  message: 'must begin with a lower-case letter, and have these, digits and "-"',
};

const declarationModel = object({
  release: optional(literal(...RELEASES)),
  id: string,
  name: string,
  apiVersion: fieldValue,
  documentationUrl: string,
  baseUrl,
  urls: optional(
    object({
      discovery: optional(string),
      jsonApi: optional(string),
      websocket: optional(string),
      schemas: optional(string),
    }),
  ),
  authentication: optional(
    object({
      sharedToken: optional(typed({ boolean, object: object({ description: optional(string) }) })),
      oauth2: optional(
        typed({
          object: authorizationServer,
          array: array(authorizationServer, { emptyFault: 'must name at least one server' }),
        }),
      ),
      discoveryPublic: optional(boolean),
    }),
  ),
  permissions: map(string),
  limits: optional(
    object({
      maxPageSize: limit,
      authenticationTimeoutMs: limit,
      heartbeatIntervalMs: limit,
      heartbeatTimeoutMs: limit,
      reconnectMinDelayMs: limit,
      reconnectMaxDelayMs: limit,
      discoveryRefreshAfterMs: limit,
    }),
  ),
  eventEncodings: optional(array(string)),
  compression: optional(boolean),
  errors: optional(object({ http: array(any), websocket: array(any) })),
  alternateVersions: optional(array(object({ apiVersion: string, discoveryUrl: string }))),
  resources: map(resource),
  schemas: optional(map(model, { name: schemaName })),
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
