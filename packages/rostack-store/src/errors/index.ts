export type { StoreAlarm } from './store-alarm.ts';
export {
  AttachRefusedError,
  ChangeInvalidError,
  DefinitionChangedError,
  DriverMissingError,
  type RecordFault,
  RecordInvalidError,
  SchemaTooNewError,
  StoreClosedError,
  StoreOptionsError,
  StoreReadOnlyError,
  StoreUnavailableError,
  TokenUnknownError,
  TransactionRefusedError,
  VersionConflictError,
} from './store-errors.ts';
