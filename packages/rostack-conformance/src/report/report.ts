import { readFileSync } from 'node:fs';
import { parseTrustedJson } from 'rostack-core';
import type { Level } from '../check/level.ts';
import type { Exchange } from '../probe/http/exchange.ts';
import type { ConformanceRun } from '../run/run-with.ts';
import { STATUSES, type Status, type Verdict } from '../run/verdict.ts';
import type { ExpectedFailures } from './expected-failures.ts';
import { type LevelStatuses, levelStatuses } from './level-status.ts';

/** A request and its answer in a report: without credentials, with a long body cut short. */
export interface ReportedExchange {
  /** GET, HEAD and so on. */
  readonly method: string;
  /** The URL as requested. */
  readonly url: string;
  /** Names and values, in their order. */
  readonly request_headers: readonly (readonly [string, string])[];
  /** The status code. */
  readonly status: number;
  /** Names and values, in their order. */
  readonly response_headers: readonly (readonly [string, string])[];
  /** At most 4,000 characters. */
  readonly body: string;
  /** Milliseconds from the request to the end of the answer. */
  readonly duration_ms: number;
}

/** One requirement in a report. */
export interface ReportedRequirement {
  /** Stable and dotted, such as `json.page.chain`. */
  readonly id: string;
  /** How strict it is. */
  readonly level: 'must' | 'should' | 'may';
  /** Its place: the section of the protocol and the topic in it. */
  readonly section: string;
  /** What is required. */
  readonly text: string;
  /** Its status. */
  readonly status: Status;
  /** Names of the checks that judged it. */
  readonly checks: readonly string[];
  /** Why it is broken. */
  readonly failures: readonly {
    readonly check: string;
    readonly expected: string;
    readonly got: string;
    readonly exchange?: ReportedExchange;
  }[];
  /** What readers should know beyond the status. */
  readonly notes: readonly string[];
  /** Why it was skipped, or what went wrong. */
  readonly reason?: string;
  /** Why it is known to be broken. */
  readonly expected_failure?: string;
}

/** The content of `report.json`; `schemas/report.schema.json` describes it. */
export interface Report {
  readonly format: 1;
  readonly kit: { readonly name: string; readonly version: string };
  readonly target: { readonly url: string };
  readonly release: string;
  readonly implementation: {
    readonly id: string;
    readonly name: string;
    readonly api_version: string;
  } | null;
  readonly seed: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly requests: number;
  /** Whether only expected requirements are broken, nothing went wrong, and no expected failure is stale. */
  readonly is_conformant: boolean;
  readonly levels: LevelStatuses['levels'];
  /** By level: core requirements that were not looked at, so that the level is kept only partly. */
  readonly unseen: LevelStatuses['unseen'];
  readonly counts: Readonly<Record<Status, number>>;
  /** Requirements that were expected to be broken but are kept. */
  readonly stale_expected_failures: readonly string[];
  readonly requirements: readonly ReportedRequirement[];
  readonly checks: readonly {
    readonly name: string;
    readonly level: Level;
    readonly duration_ms: number;
    readonly requests: number;
    readonly skipped?: string;
    readonly error?: string;
  }[];
}

const MAX_BODY_LENGTH = 4_000;

/** Name and version of this package. */
export function kitVersion(): { readonly name: string; readonly version: string } {
  const { name, version } = parseTrustedJson(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { readonly name: string; readonly version: string };
  return { name, version };
}

/** A run as data for files, with the failures that were expected. */
export function toReport(run: ConformanceRun, expected: ExpectedFailures = new Map()): Report {
  const { verdicts, results, implementation } = run;
  const unexpected = verdicts.filter(({ requirement }) => !expected.has(requirement.id));
  const stale = verdicts
    .filter(({ requirement, status }) => expected.has(requirement.id) && status === 'pass')
    .map(({ requirement }) => requirement.id);
  const isBroken = unexpected.some(({ status }) => status === 'fail');
  const hasError = verdicts.some(({ status }) => status === 'error');
  return {
    format: 1,
    kit: kitVersion(),
    target: run.target,
    release: run.release,
    implementation:
      implementation === undefined
        ? null
        : { id: implementation.id, name: implementation.name, api_version: implementation.apiVersion },
    seed: run.seed,
    started_at: new Date(run.startedMs).toISOString(),
    duration_ms: run.durationMs,
    requests: run.requests,
    is_conformant: !isBroken && !hasError && stale.length === 0,
    ...levelStatuses(run),
    counts: countsOf(verdicts),
    stale_expected_failures: stale,
    requirements: verdicts.map((verdict) => reported(verdict, expected)),
    checks: results.map(({ check, durationMs, requests, skipped, error }) => ({
      name: check.name,
      level: check.level,
      duration_ms: durationMs,
      requests,
      ...(skipped !== undefined && { skipped }),
      ...(error !== undefined && { error: `${error.name}: ${error.message}` }),
    })),
  };
}

function countsOf(verdicts: readonly Verdict[]): Record<Status, number> {
  const count = (wanted: Status) => verdicts.filter(({ status }) => status === wanted).length;
  return Object.fromEntries(STATUSES.map((status) => [status, count(status)])) as Record<Status, number>;
}

function reported(verdict: Verdict, expected: ExpectedFailures): ReportedRequirement {
  const { requirement, status, judgedBy, failures, notes, reason } = verdict;
  const { id, level, section, text } = requirement;
  const known = expected.get(id);
  return {
    id,
    level,
    section,
    text,
    status,
    checks: judgedBy,
    failures: failures.map(({ check, expected: wanted, got, exchange }) => ({
      check,
      expected: wanted,
      got,
      ...(exchange !== undefined && { exchange: reportedExchange(exchange) }),
    })),
    notes,
    ...(reason !== undefined && { reason }),
    ...(known !== undefined && { expected_failure: known }),
  };
}

const reportedExchange = (exchange: Exchange): ReportedExchange => ({
  method: exchange.method,
  url: exchange.url,
  request_headers: exchange.requestHeaders,
  status: exchange.status,
  response_headers: exchange.responseHeaders,
  body:
    exchange.text.length > MAX_BODY_LENGTH ? `${exchange.text.slice(0, MAX_BODY_LENGTH)}…` : exchange.text,
  duration_ms: exchange.durationMs,
});
