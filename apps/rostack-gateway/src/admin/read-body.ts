import { AdminProblem } from './admin-problem.ts';

/** The text of a body. @throws AdminProblem when it is too large or no UTF-8 */
export async function readBody(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new AdminProblem('body_too_large', `A record has at most ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new AdminProblem('request_invalid', 'The body is not UTF-8.');
  }
}
