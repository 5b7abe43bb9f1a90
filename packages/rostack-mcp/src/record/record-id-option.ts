/** Says where the id of a record is, as a JSON Pointer; undefined: the server shows it. */
export type RecordIdPlace = (resource: string) => string | undefined;

const OPTION = /^(?:([a-z][a-z0-9-]*)=)?(\/(?:[^~]|~[01])*)$/;

/** Reads `--record-id`: `/deviceId` for all resources, `sms-messages=/deviceId` for one. @returns undefined for anything else */
export function readRecordIds(values: readonly string[]): RecordIdPlace | undefined {
  const places = new Map<string | undefined, string>();
  for (const value of values) {
    const [, resource, pointer] = OPTION.exec(value) ?? [];
    if (pointer === undefined) return undefined;
    places.set(resource, pointer);
  }
  return (resource) => places.get(resource) ?? places.get(undefined);
}
