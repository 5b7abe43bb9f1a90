export type { Clock } from './base/clock.ts';
export { KitError, type KitErrorCode } from './base/kit-error.ts';
export {
  DRIVER_OPERATIONS,
  type Driver,
  type DriverChange,
  type DriverOperation,
  type IssueRequest,
} from './check/driver.ts';
export type { Failure, Finding } from './check/findings.ts';
export { LEVELS, type Level } from './check/level.ts';
export { type ClientTarget, runClientConformance } from './client/run-client-conformance.ts';
export { ProcessDriver } from './driver/process-driver.ts';
export type { Exchange, HeaderFields } from './probe/http/exchange.ts';
export { type ExpectedFailures, parseExpectedFailures } from './report/expected-failures.ts';
export type { LevelStatus, LevelStatuses } from './report/level-status.ts';
export {
  type Report,
  type ReportedExchange,
  type ReportedRequirement,
  toReport,
} from './report/report.ts';
export { readRequirements } from './report/requirements/read-requirements.ts';
export type { Requirement } from './report/requirements/requirement.ts';
export { type RunSummary, summaryOf } from './report/summary.ts';
export { writeReport } from './report/write-report.ts';
export type { CheckResult } from './run/run-check.ts';
export { type ConformanceRun, type RunObserver, runConformance } from './run/run-conformance.ts';
export type { Target } from './run/target.ts';
export { checks, type TargetCheck } from './run/test-checks.ts';
export type { FoundFailure, Status, Verdict } from './run/verdict.ts';
