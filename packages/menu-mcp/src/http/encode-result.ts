/** Results that a tool keeps are written once. */
const written = new WeakMap<object, Buffer>();

/** A JSON-RPC answer as UTF-8 JSON. A result object that comes again is not written again, so it must not change. */
export function encodeResult(id: string | number, result: object): Buffer<ArrayBuffer> {
  let json = written.get(result);
  if (json === undefined) {
    json = Buffer.from(JSON.stringify(result));
    written.set(result, json);
  }
  return Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), json, CLOSE]);
}

const CLOSE = Buffer.from('}');
