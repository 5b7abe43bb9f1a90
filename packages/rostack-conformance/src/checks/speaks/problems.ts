import {
  type Fault,
  type HttpOperation,
  hasCode,
  PROBLEM_CHECKS,
  PROBLEM_MEDIA_TYPE,
  PROBLEM_TYPES,
  type ProblemSlug,
  parseProblem,
  problemSlug,
} from 'rostack-core';
import type { Watch } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { type Exchange, fieldsNamed, mediaTypeOf } from '../../probe/http/exchange.ts';
import { REDACTED } from '../../probe/http/redact.ts';
import { describeAnswer, hasNoFilters, isProblem } from '../../probe/judge-problem.ts';
import { placesOf } from '../../probe/place/place-of.ts';

const EVERY_FAILURE = 'err.http.every-failure';
const TOGETHER = 'err.http.type-title-status';
const STATUSES = 'err.http.statuses';
const CLOSED = ['err.http.closed', 'release.problems.closed'];
const REQUEST_ID = 'err.http.request-id';
const REQUIRED = 'err.http.retry-after.required';
const FORBIDDEN = 'err.http.retry-after.forbidden';
const RETRY_AFTER = 'err.http.member.retry_after_ms';
const UNDECLARED = 'err.http.undeclared-never-sent';
const CREDENTIALS = 'err.texts.credentials';
const OLDER = 'err.http.older-release';
const FALLBACK = 'err.http.fallback';
const PRIVATE = 'err.texts.private-network';

/** Types that no check provokes: they are judged when they occur. */
const UNASKED: readonly ProblemSlug[] = ['rate-limited', 'internal-error', 'service-unavailable'];

/** An address of a private network, a file with a line, or a stack: nothing that a client should read. */
const INSIDE =
  /\b(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+\b|\b\w+\.(?:[cm]?[jt]s|py|go|java|rb|rs|php):\d+|\n\s+at \S+ \(/;

const FIXED = ['type', 'title', 'status'];
const OPTIONAL = ['detail', 'instance', 'request_id'];
const memberId = (name: string): string => `err.http.member.${name}`;
const RULES = PROBLEM_CHECKS.map(({ name }) => `err.http.rule.${name}`);

const KNOWN_STATUSES: ReadonlySet<number> = new Set(Object.values(PROBLEM_TYPES).map(({ status }) => status));

type Members = Readonly<Record<string, unknown>>;

/** Every failure is a problem object, as its release says, and one that discovery declares for the operation. */
export const problems: Watch = {
  name: 'speaks.problems',
  level: 'speaks',
  requirements: [
    EVERY_FAILURE,
    TOGETHER,
    STATUSES,
    ...CLOSED,
    REQUEST_ID,
    REQUIRED,
    FORBIDDEN,
    RETRY_AFTER,
    UNDECLARED,
    CREDENTIALS,
    OLDER,
    FALLBACK,
    PRIVATE,
    ...UNASKED.map((slug) => `err.http.type.${slug}`),
    ...[...FIXED, ...OPTIONAL].map(memberId),
    ...RULES,
  ],
  watch(exchange, context) {
    const { method, status, json, text } = exchange;
    const place = placesOf(context.discovery)(exchange.url);
    if (status < 400 || method === 'HEAD' || place === undefined) return;
    const { findings, release } = context;
    const mediaType = mediaTypeOf(exchange);
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    findings.judge(EVERY_FAILURE, mediaType === PROBLEM_MEDIA_TYPE && isObject, () => ({
      expected: `A failure is answered with a problem object, as ${PROBLEM_MEDIA_TYPE}.`,
      got: `${status} with a body of ${mediaType === '' ? 'no media type' : mediaType}.`,
      exchange,
    }));
    findings.judge(CREDENTIALS, !text.includes(REDACTED), () => ({
      expected: 'No text tells a credential.',
      got: 'The body has a token that was sent.',
      exchange,
    }));
    const [inside] = INSIDE.exec(text) ?? [];
    findings.judge(PRIVATE, inside === undefined || inside.includes(new URL(exchange.url).hostname), () => ({
      expected: 'No text tells a place in a private network, or what an unexpected error said.',
      got: `The body has ${JSON.stringify(inside)}.`,
      exchange,
    }));
    if (!isObject) return;
    judgeUnasked(exchange, context);
    const members = json as Members;
    judgeRequestId(exchange, members, context);
    if (release === '2026-08-12') judgeOlder(exchange, members, context);
    else judgeMembers(exchange, members, place.operation, context);
  },
};

function judgeUnasked(exchange: Exchange, { findings, release }: CheckContext): void {
  const { status } = exchange;
  for (const slug of UNASKED) {
    if (status !== PROBLEM_TYPES[slug].status) continue;
    findings.judge(`err.http.type.${slug}`, isProblem(exchange, release, [slug]), () => ({
      expected: `${status} is ${slug}.`,
      got: describeAnswer(exchange),
      exchange,
    }));
  }
  if (status < 500) return;
  findings.judge(FALLBACK, isProblem(exchange, release, ['internal-error', 'service-unavailable']), () => ({
    expected: 'An unexpected failure is internal-error, and nothing else.',
    got: describeAnswer(exchange),
    exchange,
  }));
}

function judgeRequestId(exchange: Exchange, { request_id: id }: Members, { findings }: CheckContext): void {
  const [field] = fieldsNamed(exchange.responseHeaders, 'x-request-id');
  if (id === undefined || field === undefined) findings.skip(REQUEST_ID, 'not claimed');
  else {
    findings.judge(REQUEST_ID, id === field, () => ({
      expected: 'request_id is that of the field X-Request-Id.',
      got: `${JSON.stringify(id)} and ${field}.`,
      exchange,
    }));
  }
}

function judgeOlder(exchange: Exchange, members: Members, { findings }: CheckContext): void {
  const [fault] = faultsOf(() => parseProblem(members, { release: '2026-08-12' }));
  findings.judge(OLDER, fault === undefined, () => ({
    expected: 'A problem is an object of RFC 9457.',
    got: sentence(fault),
    exchange,
  }));
}

function judgeMembers(
  exchange: Exchange,
  members: Members,
  operation: HttpOperation,
  context: CheckContext,
): void {
  const { findings, discovery } = context;
  const faults = new Map<string, Fault>();
  const found = faultsOf(() => parseProblem(members));
  for (const fault of found)
    for (const id of brokenBy(fault, members)) if (!faults.has(id)) faults.set(id, fault);
  const judge = (id: string, expected: string) =>
    findings.judge(id, !faults.has(id), () => ({ expected, got: sentence(faults.get(id)), exchange }));
  for (const name of FIXED) judge(memberId(name), `A problem has the ${name} of its type.`);
  for (const name of OPTIONAL) {
    if (members[name] === undefined) findings.skip(memberId(name), 'not claimed');
    else judge(memberId(name), `${name} is as the schema of problems says.`);
  }
  for (const id of CLOSED) judge(id, 'A problem has no member but those of the schema.');
  for (const id of RULES) judge(id, 'The members keep the rules beyond the schema.');
  const isWaiting = exchange.status === 429 || exchange.status === 503;
  judge(
    isWaiting ? REQUIRED : FORBIDDEN,
    'retry_after_ms is in rate-limited and service-unavailable, and nowhere else.',
  );
  judge(RETRY_AFTER, 'retry_after_ms is in rate-limited and service-unavailable, and nowhere else.');
  const isTogether =
    !FIXED.some((name) => faults.has(memberId(name))) && members['status'] === exchange.status;
  findings.judge(TOGETHER, isTogether, () => ({
    expected: 'Type, title and status go together, and the status is that of the answer.',
    got: `${exchange.status} with ${JSON.stringify({ type: members['type'], title: members['title'], status: members['status'] })}.`,
    exchange,
  }));
  findings.judge(STATUSES, KNOWN_STATUSES.has(exchange.status), () => ({
    expected: `The status is one of ${[...KNOWN_STATUSES].join(', ')}.`,
    got: `${exchange.status}.`,
    exchange,
  }));
  const { type } = members;
  if (typeof type !== 'string' || problemSlug(type) === undefined) return;
  const declared = 'errors' in discovery ? discovery.errors.http : [];
  const isDeclared = declared.some((error) => error.type === type && error.operations.includes(operation));
  const isFilter = problemSlug(type) === 'invalid-filter';
  if (!isDeclared && isFilter && hasNoFilters(discovery)) {
    findings.note(
      UNDECLARED,
      'There are no filters, and invalid-filter, which answers them, is not declared.',
    );
    return;
  }
  findings.judge(UNDECLARED, isDeclared, () => ({
    expected: `Discovery declares every problem type that is sent, with its operation: here ${operation}.`,
    got: `${type} is not declared for ${operation}.`,
    exchange,
  }));
}

function faultsOf(parse: () => unknown): readonly Fault[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (
      hasCode<Error & { readonly code: string; readonly faults: readonly Fault[] }>(error, 'invalid_problem')
    )
      return error.faults;
    throw error;
  }
}

function brokenBy({ check, path }: Fault, members: Members): readonly string[] {
  if (check !== 'schema') return [`err.http.rule.${check}`];
  const name = path.slice(1);
  if (name === 'retry_after_ms') return [RETRY_AFTER, members[name] === undefined ? REQUIRED : FORBIDDEN];
  if (path === '') return [memberId('type')];
  return [...FIXED, ...OPTIONAL].includes(name) ? [memberId(name)] : CLOSED;
}

const sentence = (fault: Fault | undefined): string =>
  fault === undefined ? '' : `${fault.path === '' ? 'The problem' : fault.path} ${fault.message}.`;
