import { readRequestBody } from '@modelcontextprotocol/server';

/** The body as text; undefined when it is larger than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get('content-length');
  if (declared === null) {
    const read = await readRequestBody(request, maxBytes);
    return read.tooLarge ? undefined : read.text;
  }
  // The HTTP server enforces the declared length. Reading the body in one go is much faster than streaming it.
  return Number(declared) <= maxBytes ? request.text() : undefined;
}
