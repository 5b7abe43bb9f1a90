import { randomBytes } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { describe } from 'vitest';

const SERVER = process.env['TEST_NATS_SERVER'] ?? '127.0.0.1:4222';

/** Where the NATS server of the tests is. */
export const NATS = new URL(`nats://${SERVER}`);

/** A subject of its own for one test. */
export function randomSubject(): string {
  return `test.${randomBytes(8).toString('hex')}`;
}

const hasNats = await connect({ servers: SERVER, reconnect: false, timeout: 2_000 }).then(
  async (connection) => {
    await connection.close();
    return true;
  },
  () => false,
);
if (!hasNats && process.env['CI'] !== undefined) {
  throw new Error(`no NATS answers at ${SERVER}: set TEST_NATS_SERVER`);
}

/** Skipped, and seen to be, where no server answers. */
export function describeNats(name: string, suite: () => void): void {
  const describeHere = hasNats ? describe : describe.skip;
  describeHere(name, suite);
}
