import { type Command, InvalidArgumentError } from 'commander';
import { isPointer, type JsonObject, parseStrictJson } from 'rostack-core';

/** Reads `--filter`. */
export function filterArgument(text: string): JsonObject {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch {
    throw new InvalidArgumentError(`Expected JSON, such as '{"/region":{"eq":"north"}}'.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError(`Expected a JSON object, such as '{"/region":{"eq":"north"}}'.`);
  }
  return value as JsonObject;
}

/** Adds `--record-id` to a command that keeps records by their id. */
export function withRecordId(command: Command): Command {
  return command.option(
    '--record-id <pointer>',
    'where the id of a record is, such as /deviceId; needed only where the server does not show it',
    pointerArgument,
  );
}

function pointerArgument(text: string): string {
  if (text !== '' && isPointer(text)) return text;
  throw new InvalidArgumentError('Expected a JSON Pointer, such as /deviceId.');
}

/** Reads a list with commas between its items. */
export function listArgument(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes(''))
    throw new InvalidArgumentError('Pass items with commas between them, such as /name,-/height.');
  return items;
}

/** Reads a number of records. */
export function countArgument(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < 1) {
    throw new InvalidArgumentError('Expected a positive integer.');
  }
  return count;
}
