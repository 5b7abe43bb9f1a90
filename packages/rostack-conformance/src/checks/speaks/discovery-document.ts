import {
  type AnyDiscoveryDocument,
  DISCOVERY_CHECKS,
  DISCOVERY_PATH,
  type Fault,
  hasCode,
  type JsonValue,
  parseDiscovery,
  parsePointer,
  type Release,
  resolvePointer,
} from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { mediaTypeOf } from '../../probe/http/exchange.ts';
import type { ProbeResponse } from '../../probe/http/http-probe.ts';
import { documentMembers, membersIn } from './document-members.ts';

const PATH = 'discovery.path';
const STATUS = 'decided.discovery-status';
const CLOSED = 'discovery.closed';
const INCLUDES = 'discovery.includes';
const OLDER_PERMISSIONS = 'discovery.rule.permission_name_kept';

const MEMBERS = new Set(documentMembers());

/** Requirements that repeat some members and rules in other words, by the prefixes of those. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'release.errors.required': ['discovery.member.errors'],
  'release.documentation-url': ['discovery.member.implementation.documentation_url'],
  'release.permission-names': ['discovery.member.authentication.permissions'],
  'release.schema-dialect': [
    'discovery.member.resources.representations.schema_dialect',
    'discovery.member.resources.events.schema_dialect',
  ],
  'release.bounds.error-lists': ['discovery.member.errors.http', 'discovery.member.errors.websocket'],
  'release.bounds.whole-numbers': ['discovery.rule.whole_number_exact'],
  'discovery.schemas.https': [
    'discovery.member.resources.representations.schema_url',
    'discovery.member.resources.events.schema_url',
  ],
  'permission.registered': ['discovery.rule.permission_registered'],
  'err.http.declared': ['discovery.rule.http_error_declared_once'],
  'err.ws.declared': ['discovery.rule.websocket_error_declared_once'],
};

/** The document is where it belongs, and says everything required in members that the protocol defines. */
export const discoveryDocument: Check = {
  name: 'speaks.discovery.document',
  level: 'speaks',
  requirements: [
    PATH,
    STATUS,
    CLOSED,
    INCLUDES,
    'release.errors.absent',
    'release.bounds.unique',
    ...Object.keys(ALSO),
    ...[...MEMBERS].map((member) => `discovery.member.${member}`),
    ...new Set(DISCOVERY_CHECKS.map(({ name }) => `discovery.rule.${name}`)),
  ],
  needs: [],
  withoutDiscovery: true,
  async run(context) {
    const { http, findings, tokens } = context;
    const anonymous = await http.get(DISCOVERY_PATH);
    const response =
      anonymous.status === 401 && tokens.hasMain
        ? await http.get(DISCOVERY_PATH, { token: tokens.main })
        : anonymous;
    const { status, json, exchange } = response;
    const mediaType = mediaTypeOf(exchange);
    const got = `${status} with a body of ${mediaType === '' ? 'no media type' : mediaType}.`;
    findings.judge(STATUS, status === 200, () => ({
      expected: 'Discovery succeeds with 200.',
      got,
      exchange,
    }));
    findings.judge(PATH, status === 200 && mediaType === 'application/json' && json !== undefined, () => ({
      expected: `GET ${DISCOVERY_PATH} is answered with 200 and JSON, as application/json.`,
      got,
      exchange,
    }));
    if (json !== undefined && status === 200) judgeDocument(context, response);
  },
};

function judgeDocument(context: CheckContext, { json, exchange }: ProbeResponse): void {
  const document = json as JsonValue;
  const { findings, release } = context;
  const faults = faultsOf(json, release);
  const broken = new Map<string, Fault[]>();
  const blame = (id: string, fault: Fault) => broken.set(id, [...(broken.get(id) ?? []), fault]);
  for (const fault of faults) {
    for (const id of requirementsOf(fault, document, release)) blame(id, fault);
    for (const [id, others] of Object.entries(ALSO)) {
      if (others.includes(requirementsOf(fault, document, release)[0] ?? '')) blame(id, fault);
    }
  }
  const judge = (id: string) => {
    const [fault] = broken.get(id) ?? [];
    findings.judge(id, fault === undefined, () => ({
      expected: `The document is one of release ${release}.`,
      got: fault === undefined ? '' : `${fault.path === '' ? 'The document' : fault.path} ${fault.message}.`,
      exchange,
    }));
  };
  const present = membersIn(json, MEMBERS);
  for (const member of MEMBERS) {
    const id = `discovery.member.${member}`;
    if (present.has(member) || broken.has(id)) judge(id);
    else findings.skip(id, 'not claimed');
  }
  for (const id of discoveryDocument.requirements) {
    const isMember = id.startsWith('discovery.member.') || id === PATH || id === STATUS;
    if (!isMember && (id !== OLDER_PERMISSIONS || release === '2026-08-12')) judge(id);
  }
}

function faultsOf(document: unknown, release: Release): readonly Fault[] {
  try {
    parseDiscovery(document, { release }) satisfies AnyDiscoveryDocument;
    return [];
  } catch (error) {
    if (
      hasCode<Error & { readonly code: string; readonly faults: readonly Fault[] }>(
        error,
        'invalid_discovery',
      )
    )
      return error.faults;
    throw error;
  }
}

/** Members that are maps, whose keys the implementation chooses. */
const MAPS: ReadonlySet<string> = new Set([
  'authentication.permissions',
  'resources.filtering.filterable_fields',
]);

/** The requirements that a fault breaks, the most specific first. */
function requirementsOf({ check, path }: Fault, document: JsonValue, release: Release): readonly string[] {
  if (check !== 'schema') return [`discovery.rule.${check}`];
  const names = parsePointer(path).filter((token) => !/^\d+$/.test(token));
  const member = names
    .map((_, index) => names.slice(0, names.length - index).join('.'))
    .find((name) => MEMBERS.has(name));
  const isUnknown = member !== names.join('.') && (member === undefined || !MAPS.has(member));
  const isOlder = release === '2026-08-12' && names[0] === 'errors';
  if (isOlder) return ['release.errors.absent', CLOSED];
  if (isUnknown && names.length > 0) return [CLOSED];
  const value = resolvePointer(document, parsePointer(path));
  return [
    member === undefined ? INCLUDES : `discovery.member.${member}`,
    ...(value === undefined ? [INCLUDES] : []),
    ...(hasRepetition(value) ? ['release.bounds.unique'] : []),
  ];
}

const hasRepetition = (value: unknown): boolean =>
  Array.isArray(value) && new Set(value.map((item) => JSON.stringify(item))).size < value.length;
