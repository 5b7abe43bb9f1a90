import type { JsonObject, JsonValue } from 'rostack-core';
import type { FrameHooks } from '../../mutant.ts';

/** A message as it is sent: an object, or a compact event. */
export type Frame = JsonObject | readonly JsonValue[];

export const isObject = (frame: Frame): frame is JsonObject => !Array.isArray(frame);

/** The type of a message; `compact` for compact events. */
export const typeOf = (frame: Frame): JsonValue | undefined => (isObject(frame) ? frame['type'] : 'compact');

export const parse = (text: string): Frame => JSON.parse(text) as Frame;

type ChangeFrame = (frame: JsonObject) => Frame | readonly Frame[] | undefined;

const textsOf = (changed: Frame | readonly Frame[] | undefined): readonly string[] => {
  if (changed === undefined) return [];
  const isList = Array.isArray(changed) && changed.every((each) => typeof each === 'object' && each !== null);
  return (isList ? (changed as readonly Frame[]) : [changed]).map((each) => JSON.stringify(each));
};

/** Changes the messages of a type: to another one, several, or none. */
const changing =
  (type: string, change: ChangeFrame) =>
  (text: string): readonly string[] => {
    let frame: Frame;
    try {
      frame = parse(text);
    } catch {
      return [text];
    }
    return isObject(frame) && frame['type'] === type ? textsOf(change(frame)) : [text];
  };

/** Changes messages of a type from the server. */
export const server = (type: string, change: ChangeFrame) => (): FrameHooks => ({
  fromServer: changing(type, change),
});

/** Changes messages of a type from the client. */
export const client = (type: string, change: ChangeFrame) => (): FrameHooks => ({
  fromClient: changing(type, change),
});

/** Changes compact events. */
export const compact = (change: (event: readonly JsonValue[]) => Frame) => (): FrameHooks => ({
  fromServer: (text) => {
    const frame = parse(text);
    return [isObject(frame) ? text : JSON.stringify(change(frame))];
  },
});

/** Closes clients with another code, or not at all. */
export const closed = (from: number, to: number | undefined) => (): FrameHooks => ({
  closing: (code) => (code === from ? to : code),
});

/** Sets members of a message; undefined takes one away. */
export function withMembers(
  frame: JsonObject,
  members: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject {
  const entries = Object.entries({ ...frame, ...members }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}

/** Gives errors of a code another one. */
export const recoded = (code: string, members: Readonly<Record<string, JsonValue | undefined>>) =>
  server('error', (error) => (error['code'] === code ? withMembers(error, members) : error));

/** Answers what gets an error of a code with `subscribed`. */
export const granted = (code: string) =>
  server('error', (error) =>
    error['code'] === code ? subscribed(error['subscription_id'] ?? '', false) : error,
  );

export const subscribed = (id: JsonValue, replaying: boolean): JsonObject => ({
  type: 'subscribed',
  subscription_id: id,
  event_encoding: 'json',
  replaying,
});

export const failure = (code: string, id?: JsonValue): JsonObject => ({
  type: 'error',
  code,
  message: 'Refused.',
  retryable: false,
  ...(id !== undefined && { subscription_id: id }),
});

/** A member that is a text; empty where it is none. */
export const textIn = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** What turns any error into one that discovery declares too. */
export const INTERNAL = { code: 'internal_error', retryable: true };
