import { describe, expect, test } from 'vitest';
import { ProcessDriver } from '../../src/driver/process-driver.ts';

/** A driver of few lines, in plain JavaScript: it answers by what it has kept. */
const EXAMPLE = `
const { createInterface } = require('node:readline');
const say = (line) => console.log(JSON.stringify(line));
say({ ready: true, operations: ['put', 'delete', 'issue', 'burst', 'restart'], samples: { stations: [{ id: 'a' }] } });
const kept = new Map();
createInterface({ input: process.stdin }).on('line', (line) => {
  const { request, op, record, changes, expires_in_ms: lifeMs } = JSON.parse(line);
  if (op === 'put') kept.set(record.id, record);
  if (op === 'burst') return say({ request, ok: kept.has(changes[0].id) });
  if (op === 'delete') return say({ request, ok: false, error: 'read-only' });
  if (op === 'restart') return process.exit(3);
  say({ request, ok: true, ...(op === 'issue' && { token: 'for ' + lifeMs }) });
});
`;

const commandOf = (program: string) => `${process.execPath} -e '${program.replaceAll("'", `'"'"'`)}'`;

describe('a driver that is a process', () => {
  test('says what it can, and does what it is asked for', async () => {
    await using driver = await ProcessDriver.start(commandOf(EXAMPLE));
    expect([...driver.operations]).toEqual(['put', 'delete', 'issue', 'burst', 'restart']);
    expect(driver.samples).toEqual({ stations: [{ id: 'a' }] });
    await driver.put('stations', { id: 'b' });
    await driver.burst('stations', [{ op: 'delete', id: 'b' }]);
    expect(await driver.issue({ expiresInMs: 5 })).toBe('for 5');
  });

  test('is told from the target: its failures are errors of the kit', async () => {
    await using driver = await ProcessDriver.start(commandOf(EXAMPLE));
    await expect(driver.delete('stations', 'b')).rejects.toMatchObject({
      code: 'driver_failed',
      message: 'the driver cannot delete: read-only',
    });
    await expect(driver.prune()).rejects.toThrow('the driver has no operation prune');
    await expect(driver.restart()).rejects.toThrow('the driver has ended with 3');
  });

  test.each([
    ['a line that is no JSON', 'console.log("hello")', 'each line is a JSON object'],
    ['no first line', '', 'the driver has ended with 0'],
    ['an answer first', 'console.log(`{"request":1,"ok":true}`)', 'the first line has to be'],
    ['an unknown operation', 'console.log(`{"ready":true,"operations":["fly"]}`)', 'unknown operations: fly'],
    [
      'samples of another form',
      'console.log(`{"ready":true,"operations":[],"samples":{"a":{}}}`)',
      'lists of records',
    ],
  ])('with %s does not start', async (_, program, message) => {
    await expect(ProcessDriver.start(commandOf(program))).rejects.toThrow(message);
  });
});
