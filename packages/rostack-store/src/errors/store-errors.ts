import { defineErrors } from 'rostack-core';

/** The errors of this package, by the names of their classes. */
const errors = defineErrors({
  RecordInvalidError: { code: 'record_invalid', retryable: false },
  ChangeInvalidError: { code: 'change_invalid', retryable: false },
  VersionConflictError: { code: 'version_conflict', retryable: false },
  StoreOptionsError: { code: 'store_options_invalid', retryable: false },
  DriverMissingError: { code: 'driver_missing', retryable: false },
  SchemaTooNewError: { code: 'schema_too_new', retryable: false },
  DefinitionChangedError: { code: 'definition_changed', retryable: false },
  StoreUnavailableError: { code: 'store_unavailable', retryable: true },
  StoreReadOnlyError: { code: 'store_read_only', retryable: false },
  StoreClosedError: { code: 'store_closed', retryable: false },
  TokenUnknownError: { code: 'token_unknown', retryable: false },
  AttachRefusedError: { code: 'attach_refused', retryable: false },
  TransactionRefusedError: { code: 'transaction_refused', retryable: false },
});

/** One fault of a record: where it is, and what is wrong. */
export interface RecordFault {
  /** Index of the change in the batch. */
  readonly changeIndex: number;
  /** Name of the resource. */
  readonly resource: string;
  /** JSON Pointer of the faulty member; empty for the record as a whole. */
  readonly pointer: string;
  /** What is wrong, as a part of a sentence whose subject is the member; without the value. */
  readonly message: string;
}

/** A record is not JSON, breaks a limit, or does not conform to its resource's schema; nothing of the batch was written. */
export class RecordInvalidError extends errors.RecordInvalidError {
  /** In the order of the changes; at most 100. */
  readonly faults: readonly RecordFault[];

  constructor(faults: readonly RecordFault[]) {
    const shown = faults.slice(0, 3).map((fault) => {
      return `change ${fault.changeIndex} (${fault.resource}) at "${fault.pointer}": ${fault.message}`;
    });
    const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
    super(`the batch was refused: ${shown.join('; ')}${more}`);
    this.faults = faults;
  }
}

/** A change names an unknown resource, a malformed id, or an event that does not fit; nothing of the batch was written. */
export class ChangeInvalidError extends errors.ChangeInvalidError {
  /** Index of the change in the batch. */
  readonly changeIndex: number;

  constructor(changeIndex: number, message: string) {
    super(`change ${changeIndex}: ${message}`);
    this.changeIndex = changeIndex;
  }
}

/** The record is not at the version that the change expected; nothing of the batch was written. */
export class VersionConflictError extends errors.VersionConflictError {
  /** Index of the change in the batch. */
  readonly changeIndex: number;
  /** Name of the resource. */
  readonly resource: string;
  /** Text of the record's id. */
  readonly id: string;
  /** The version that the record is at; null if there is no such record. */
  readonly presentVersion: string | null;

  constructor(changeIndex: number, resource: string, id: string, presentVersion: string | null) {
    const present = presentVersion === null ? 'there is no such record' : `it is at ${presentVersion}`;
    super(
      `change ${changeIndex}: ${resource} ${JSON.stringify(id)} is not at the expected version: ${present}`,
    );
    this.changeIndex = changeIndex;
    this.resource = resource;
    this.id = id;
    this.presentVersion = presentVersion;
  }
}

/** The URL, an option or a resource definition cannot be used. */
export class StoreOptionsError extends errors.StoreOptionsError {}

/** The driver package for this kind of database is not installed; the message has the command to install it. */
export class DriverMissingError extends errors.DriverMissingError {
  /** Its name on npm: `better-sqlite3` or `pg`. */
  readonly driver: string;

  constructor(database: string, driver: string, options?: ErrorOptions) {
    super(`${database} is reached with the package ${driver}: npm install ${driver}`, options);
    this.driver = driver;
  }
}

/** The database was written by a newer release of this package. */
export class SchemaTooNewError extends errors.SchemaTooNewError {
  /** Version of the tables in the database. */
  readonly foundVersion: number;
  /** The newest version that this release of the package can read and write. */
  readonly knownVersion: number;

  constructor(foundVersion: number, knownVersion: number) {
    super(
      `the database has schema version ${foundVersion}, this release knows up to ${knownVersion}: upgrade rostack-store, or open another database`,
    );
    this.foundVersion = foundVersion;
    this.knownVersion = knownVersion;
  }
}

/** Another process has since opened the database with different indexed fields: restart with the same definitions. */
export class DefinitionChangedError extends errors.DefinitionChangedError {
  constructor(resource: string) {
    super(
      `the indexed fields of ${resource} were changed by another process: restart this one with the same resource definitions`,
    );
  }
}

/** The database cannot be reached, is busy or has no room. After a lost connection the batch may or may not have been written. */
export class StoreUnavailableError extends errors.StoreUnavailableError {}

/** The store was opened as a replica: write through one that is opened on the primary. */
export class StoreReadOnlyError extends errors.StoreReadOnlyError {
  constructor() {
    super('the store was opened as a replica, which is read only: write at the primary');
  }
}

/** The store was closed. */
export class StoreClosedError extends errors.StoreClosedError {
  constructor() {
    super('the store is closed');
  }
}

/** There is no token with this id. */
export class TokenUnknownError extends errors.TokenUnknownError {
  /** The requested id. */
  readonly tokenId: string;

  constructor(tokenId: string) {
    super(`there is no token with the id ${JSON.stringify(tokenId)}`);
    this.tokenId = tokenId;
  }
}

/** A table cannot be attached or detached as requested: the message says what to change. Nothing was changed. */
export class AttachRefusedError extends errors.AttachRefusedError {}

/** What was passed to `applyWithin` is not a transaction of the store's database: the message says what to pass. Nothing was changed. */
export class TransactionRefusedError extends errors.TransactionRefusedError {}
