export { type Change, TRANSITIONS, type Transition } from './change.ts';
export type {
  Head,
  JoinedPage,
  Page,
  PageKey,
  PageQuery,
  Position,
  RecordSource,
  StoredRecord,
} from './record-source.ts';
export { LogHoleError, PositionExpiredError, SourceUnavailableError } from './record-source-errors.ts';
