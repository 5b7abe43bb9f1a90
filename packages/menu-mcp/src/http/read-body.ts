import { readRequestBody } from '@modelcontextprotocol/server';

/** The body as text; undefined when it is larger than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get('content-length');
  if (declared === null) {
    const read = await readRequestBody(request, maxBytes);
    return read.tooLarge ? undefined : read.text;
  }
  // The server beneath holds a body to its declared length, and reads it whole much faster than a stream.
  return Number(declared) <= maxBytes ? request.text() : undefined;
}
