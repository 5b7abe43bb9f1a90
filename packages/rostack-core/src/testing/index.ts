export * from './check/conformance-check.ts';
export { SeededRandom } from './check/seeded-random.ts';
export * from './source/memory-record-source.ts';
export { recordSourceChecks } from './source/record-source-checks.ts';
export type { RecordSourceCheckOptions, RecordSourceTarget } from './source/record-source-target.ts';
export { MIXED_RECORDS, type SampleRecords } from './source/sample-records.ts';
