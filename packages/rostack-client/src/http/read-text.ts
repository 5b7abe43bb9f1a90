import { ResponseError, ResponseTooLargeError } from '../error/index.ts';

/**
 * Reads a body as UTF-8 text, and stops reading where it is larger than allowed. Sizes are those after decompression.
 * @throws ResponseTooLargeError `response_too_large`
 * @throws ResponseError `invalid_response` for bytes that are not UTF-8
 */
export async function readText(response: Response, url: string, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decode(decoder, undefined, url);
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new ResponseTooLargeError(url, maxBytes);
      text += decode(decoder, value, url);
    }
  } finally {
    // Nothing happens where all was read; otherwise the connection is given up.
    await reader.cancel().catch(() => {});
  }
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  value: Uint8Array | undefined,
  url: string,
): string {
  try {
    return value === undefined ? decoder.decode() : decoder.decode(value, { stream: true });
  } catch (error) {
    throw new ResponseError(`${url} answered with bytes that are not UTF-8`, { cause: error });
  }
}
