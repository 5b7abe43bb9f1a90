import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Results that a tool keeps are written once. */
const written = new WeakMap<object, Buffer>();

/** The message as UTF-8 JSON. A result object that comes again is not written again, so it must not change. */
export function encodeMessage(message: JSONRPCMessage): Buffer<ArrayBuffer> {
  if (!('result' in message)) return Buffer.from(JSON.stringify(message));
  let result = written.get(message.result);
  if (result === undefined) {
    result = Buffer.from(JSON.stringify(message.result));
    written.set(message.result, result);
  }
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":`);
  return Buffer.concat([head, result, Buffer.from('}')]);
}
