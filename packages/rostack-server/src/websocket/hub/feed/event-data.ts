import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  DECIMAL_FORMAT,
  type EventDescriptor,
  eventData,
  type HiddenField,
  type ImplementedEvent,
  isDecimal,
  isPlainSchema,
  type JsonObject,
  type JsonValue,
  withoutFields,
} from 'rostack-core';
import type { EventData, LoggedChange } from '../log/logged-change.ts';

/** Finds what is wrong with an event's data according to its schema: a JSON Pointer and fault each; empty if nothing is. */
export type EventValidator = (descriptor: EventDescriptor, data: JsonValue) => readonly string[];

/** How to make and check a resource's event data. */
export interface EventDataRules {
  /** The events by name, as `defineImplementation` made them; without them data is the record, for a delete only with a tombstone. */
  readonly events: ReadonlyMap<string, ImplementedEvent> | undefined;
  /** Fields that are left out of the data. */
  readonly hidden: readonly HiddenField[];
  readonly validate: EventValidator | undefined;
}

/** Makes the data of an event: the record after the change (before it for a delete), nothing, or a projection. */
export function makeEventData(
  { events, hidden, validate }: EventDataRules,
  descriptor: EventDescriptor,
  logged: LoggedChange,
): EventData {
  const isDelete = descriptor.state_transition === 'delete';
  const event = events?.get(descriptor.name);
  if (event?.carries === 'projection') return project(event, hidden, validate, logged);
  const hasData =
    event === undefined ? !isDelete || descriptor.tombstone === true : event.carries === 'record';
  const stored = isDelete ? logged.change.before : logged.change.after;
  if (!hasData || stored === undefined) return { kind: 'data', text: undefined };
  const read = () => shownState(isDelete ? logged.before : logged.after, hidden);
  const text = hidden.length === 0 ? stored : JSON.stringify(read());
  const faults = findFaults(validate, descriptor, read);
  return faults.length === 0 ? { kind: 'data', text } : { kind: 'faulty', faults };
}

function project(
  event: ImplementedEvent,
  hidden: readonly HiddenField[],
  validate: EventValidator | undefined,
  logged: LoggedChange,
): EventData {
  try {
    const data = eventData(event, {
      before: event.transition === 'create' ? undefined : shownState(logged.before, hidden),
      after: event.transition === 'delete' ? undefined : shownState(logged.after, hidden),
    });
    if (data === undefined) return { kind: 'data', text: undefined };
    const faults = findFaults(validate, event.descriptor, () => data);
    return faults.length === 0 ? { kind: 'data', text: JSON.stringify(data) } : { kind: 'faulty', faults };
  } catch (error) {
    return { kind: 'faulty', faults: [`the projection failed: ${String(error)}`] };
  }
}

function shownState(state: JsonValue | undefined, hidden: readonly HiddenField[]): JsonObject | undefined {
  // Records are objects.
  return state === undefined || hidden.length === 0
    ? (state as JsonObject | undefined)
    : withoutFields(state as JsonObject, hidden);
}

function findFaults(
  validate: EventValidator | undefined,
  descriptor: EventDescriptor,
  read: () => JsonValue | undefined,
): readonly string[] {
  const data = validate === undefined ? undefined : read();
  return data === undefined || validate === undefined ? [] : validate(descriptor, data);
}

const OPTIONS = { allErrors: true, ownProperties: true, strict: false, logger: false } as const;

let judge: Ajv2020 | undefined;

function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv);
  return ajv.addFormat(DECIMAL_FORMAT, isDecimal);
}

/**
 * Compiles each schema when the first event needs it; data without a known schema counts as valid.
 * @throws Error if a schema is not valid
 */
export function createEventValidator(schemas: ReadonlyMap<string, JsonObject | boolean>): EventValidator {
  const ajv = withFormats(new Ajv2020({ ...OPTIONS, validateSchema: false }));
  for (const [url, schema] of schemas) {
    if (!isPlainSchema(schema)) {
      // The schema of schemas is compiled at most once per process: that takes 30 to 130 ms.
      judge ??= withFormats(new Ajv2020(OPTIONS));
      void judge.validateSchema(schema, true);
    }
    ajv.addSchema(schema, url);
  }
  const compiled = new Map<string, ValidateFunction | undefined>();
  return ({ schema_url: url }, data) => {
    if (!compiled.has(url)) compiled.set(url, ajv.getSchema(url));
    const validate = compiled.get(url);
    if (validate === undefined || validate(data)) return [];
    return (validate.errors ?? []).map(describe);
  };
}

/** Names the place and the rule; the value itself is never repeated. */
function describe({ instancePath, message, keyword }: ErrorObject): string {
  return `${instancePath}: ${message ?? `fails the keyword ${keyword}`}`;
}
