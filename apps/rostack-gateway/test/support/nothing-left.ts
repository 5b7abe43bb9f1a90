import { readdir } from 'node:fs/promises';
import { isListening } from 'test-support/is-listening';
import type { Gateway } from '../../src/serving/gateway/gateway.ts';

/** Files that exist only while a database is open, or while something is written. */
const PASSING = /-(?:wal|shm|journal)$|\.(?:partial|draft)$/;

/**
 * To be called when a gateway is closed, and everything else that used its folder.
 * @throws Error when it has left something
 */
export async function checkGatewayLeft(gateway: Gateway, folder: string): Promise<void> {
  const { connections, subscriptions, bufferedBytes, pausedConnections } = gateway.status;
  const listening = await Promise.all([gateway.port, gateway.adminPort ?? gateway.port].map(isListening));
  const files = (await readdir(folder, { recursive: true })).filter((name) => PASSING.test(name));
  const left = {
    connections,
    subscriptions,
    bufferedBytes,
    pausedConnections,
    listeners: listening.filter(Boolean).length,
    files: files.length,
  };
  const counts = Object.entries(left).filter(([, count]) => count !== 0);
  if (counts.length === 0) return;
  const text = counts.map(([name, count]) => `${count} ${name}`).join(', ');
  throw new Error(`a closed gateway has left ${text} ${files.join(' ')}`);
}
