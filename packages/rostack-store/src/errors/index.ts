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
