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
export class RecordInvalidError extends Error {
  override readonly name = 'RecordInvalidError';
  readonly code = 'record_invalid';
  readonly retryable = false;
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
export class ChangeInvalidError extends Error {
  override readonly name = 'ChangeInvalidError';
  readonly code = 'change_invalid';
  readonly retryable = false;
  /** Index of the change in the batch. */
  readonly changeIndex: number;

  constructor(changeIndex: number, message: string) {
    super(`change ${changeIndex}: ${message}`);
    this.changeIndex = changeIndex;
  }
}

/** The record is not at the version that the change expected; nothing of the batch was written. */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';
  readonly code = 'version_conflict';
  readonly retryable = false;
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
export class StoreOptionsError extends Error {
  override readonly name = 'StoreOptionsError';
  readonly code = 'store_options_invalid';
  readonly retryable = false;
}

/** The driver package for this kind of database is not installed; the message has the command to install it. */
export class DriverMissingError extends Error {
  override readonly name = 'DriverMissingError';
  readonly code = 'driver_missing';
  readonly retryable = false;
  /** Its name on npm: `better-sqlite3` or `pg`. */
  readonly driver: string;

  constructor(database: string, driver: string, options?: ErrorOptions) {
    super(`${database} is reached with the package ${driver}: npm install ${driver}`, options);
    this.driver = driver;
  }
}

/** The database was written by a newer release of this package. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
  readonly code = 'schema_too_new';
  readonly retryable = false;
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
export class DefinitionChangedError extends Error {
  override readonly name = 'DefinitionChangedError';
  readonly code = 'definition_changed';
  readonly retryable = false;

  constructor(resource: string) {
    super(
      `the indexed fields of ${resource} were changed by another process: restart this one with the same resource definitions`,
    );
  }
}

/** The database cannot be reached, is busy or has no room. After a lost connection the batch may or may not have been written. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'store_unavailable';
  readonly retryable = true;
}

/** The store was opened as a replica: write through one that is opened on the primary. */
export class StoreReadOnlyError extends Error {
  override readonly name = 'StoreReadOnlyError';
  readonly code = 'store_read_only';
  readonly retryable = false;

  constructor() {
    super('the store was opened as a replica, which is read only: write at the primary');
  }
}

/** The store was closed. */
export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
  readonly code = 'store_closed';
  readonly retryable = false;

  constructor() {
    super('the store is closed');
  }
}

/** There is no token with this id. */
export class TokenUnknownError extends Error {
  override readonly name = 'TokenUnknownError';
  readonly code = 'token_unknown';
  readonly retryable = false;
  /** The requested id. */
  readonly tokenId: string;

  constructor(tokenId: string) {
    super(`there is no token with the id ${JSON.stringify(tokenId)}`);
    this.tokenId = tokenId;
  }
}

/** A table cannot be attached or detached as requested: the message says what to change. Nothing was changed. */
export class AttachRefusedError extends Error {
  override readonly name = 'AttachRefusedError';
  readonly code = 'attach_refused';
  readonly retryable = false;
}

/** What was passed to `applyWithin` is not a transaction of the store's database: the message says what to pass. Nothing was changed. */
export class TransactionRefusedError extends Error {
  override readonly name = 'TransactionRefusedError';
  readonly code = 'transaction_refused';
  readonly retryable = false;
}
