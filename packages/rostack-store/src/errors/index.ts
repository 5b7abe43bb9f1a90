export {
  ChangeInvalidError,
  DefinitionChangedError,
  type RecordFault,
  RecordInvalidError,
  SchemaTooNewError,
  StoreClosedError,
  StoreOptionsError,
  StoreUnavailableError,
  VersionConflictError,
} from './store-errors.ts';
