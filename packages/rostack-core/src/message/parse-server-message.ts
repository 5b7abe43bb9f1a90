import { type Fault, summarizeFaults, validate } from '../model/fault.ts';
import { type CompactEvent, type ServerMessage, serverMessageModel20260813 } from './server-message.ts';

/** A value that was to be a message of a server is none. */
export class ServerMessageError extends Error {
  override readonly name = 'ServerMessageError';
  readonly code = 'invalid_server_message';
  readonly retryable = false;
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`not a message of a rostack server: ${summarizeFaults(faults)}`);
    this.faults = faults;
  }
}

/**
 * Parses one text frame from a server: a message object, or a compact event as it stands.
 * @throws ServerMessageError code `invalid_server_message`, with every fault
 * @see protocol section 7
 */
export function parseServerMessage(text: string): ServerMessage | CompactEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ServerMessageError([{ check: 'schema', path: '', message: 'is not JSON' }]);
  }
  return validateServerMessage(value);
}

function validateServerMessage(value: unknown): ServerMessage | CompactEvent {
  const result = validate(serverMessageModel20260813, value);
  if (!result.ok) throw new ServerMessageError(result.faults);
  const message = result.value;
  if ('reconnect_after_ms' in message && message.drain_timeout_ms < message.reconnect_after_ms) {
    throw new ServerMessageError([
      {
        check: 'drain_covers_reconnect',
        path: '/drain_timeout_ms',
        message: `must be at least reconnect_after_ms (${message.reconnect_after_ms})`,
      },
    ]);
  }
  return message;
}
