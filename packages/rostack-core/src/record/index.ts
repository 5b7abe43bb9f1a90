export { joinBodies, parseBodies } from './bodies.ts';
export { type Change, type Position, TRANSITIONS, type Transition } from './change.ts';
export type {
  Head,
  Page,
  PageKey,
  PageQuery,
  RecordSource,
  StoredRecord,
} from './record-source.ts';
export { LogHoleError, PositionExpiredError, SourceUnavailableError } from './record-source-errors.ts';
