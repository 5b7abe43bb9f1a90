export type { StoreAlarm } from './store-alarm.ts';
export {
  AttachRefusedError,
  ChangeInvalidError,
  DefinitionChangedError,
  type RecordFault,
  RecordInvalidError,
  SchemaTooNewError,
  StoreClosedError,
  StoreOptionsError,
  StoreUnavailableError,
  TokenUnknownError,
  VersionConflictError,
} from './store-errors.ts';
