import { defineImplementation } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LoggedChange } from '../log/logged-change.ts';
import { createEventValidator, type EventDataRules, makeEventData } from './event-data.ts';

const BASE_URL = 'https://observatory.example';
const { schemas, resources } = defineImplementation({
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '1',
  documentationUrl: BASE_URL,
  baseUrl: BASE_URL,
  permissions: { 'stations:read': 'Read' },
  resources: {
    stations: {
      model: z.strictObject({ id: z.string(), height: z.number() }),
      readPermissions: ['stations:read'],
      events: {
        'station.created': { transition: 'create' },
        'station.silent': { transition: 'update', carries: 'nothing' },
        'station.moved': {
          transition: 'update',
          carries: {
            model: z.strictObject({ from: z.number(), to: z.number().max(100) }),
            project: ({ before, after }) => ({ from: before?.height ?? 0, to: after?.height ?? 0 }),
          },
        },
        'station.odd': {
          transition: 'update',
          carries: {
            model: z.strictObject({}),
            project: () => {
              throw new Error('odd');
            },
          },
        },
        'station.deleted': { transition: 'delete' },
        'station.vanished': { transition: 'delete', carries: 'nothing', tombstone: false },
      },
    },
  },
});
const { events, descriptor: resource } = resources.stations;
const rules = { events, hidden: [], validate: createEventValidator(schemas) };

function dataOf(
  name: string,
  before: string | undefined,
  after: string | undefined,
  given: EventDataRules = rules,
) {
  const descriptor = resource.events.find((each) => each.name === name);
  if (descriptor === undefined) throw new Error(`no event ${name}`);
  const change = {
    position: 1,
    tag: '',
    eventId: 'e',
    eventType: name,
    transition: descriptor.state_transition,
    id: 'a',
    version: '1',
    occurredAtMs: 0,
    before,
    after,
  };
  return makeEventData(given, descriptor, new LoggedChange(change, ''));
}

const LOW = '{"id":"a","height":1}';
const HIGH = '{"id":"a","height":1000}';

describe('the data of an event', () => {
  test.each<readonly [string, string | undefined, string | undefined, string | undefined]>([
    ['station.created', undefined, LOW, LOW],
    ['station.created', HIGH, LOW, LOW],
    ['station.silent', LOW, HIGH, undefined],
    ['station.moved', HIGH, LOW, '{"from":1000,"to":1}'],
    ['station.deleted', LOW, undefined, LOW],
    ['station.deleted', LOW, HIGH, LOW],
    ['station.vanished', LOW, undefined, undefined],
  ])('of %s from %s to %s is %s', (name, before, after, text) => {
    expect(dataOf(name, before, after)).toEqual({ kind: 'data', text });
  });

  test('stays back when it breaks its schema or cannot be made', () => {
    expect(dataOf('station.moved', LOW, HIGH)).toEqual({
      kind: 'faulty',
      faults: ['/to: must be <= 100'],
    });
    expect(dataOf('station.created', undefined, '{"id":7}')).toMatchObject({
      faults: [": must have required property 'height'", '/id: must be string'],
    });
    expect(dataOf('station.odd', LOW, HIGH)).toMatchObject({
      faults: ['the projection failed: Error: odd'],
    });
  });

  test('without a definition is the record, and of a delete only where discovery speaks of a tombstone', () => {
    const bare = { events: undefined, hidden: [], validate: undefined };
    expect(dataOf('station.silent', LOW, HIGH, bare)).toEqual({ kind: 'data', text: HIGH });
    expect(dataOf('station.deleted', LOW, undefined, bare)).toEqual({ kind: 'data', text: LOW });
    expect(dataOf('station.vanished', LOW, undefined, bare)).toEqual({
      kind: 'data',
      text: undefined,
    });
  });
});
