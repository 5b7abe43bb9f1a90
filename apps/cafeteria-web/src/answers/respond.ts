import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Context } from 'hono';
import { ASKED_FIELDS, type Asked } from './answer-cache.ts';
import type { Rendering } from './rendering.ts';

interface Answer {
  readonly status: number;
  readonly fields: string[];
  readonly body?: string | Buffer | Readable;
}

/** An entity tag without its `W/`, for weak comparison (RFC 9110 13.1.2). */
const weakly = (tag: string): string => tag.trim().replace(/^W\//, '');

const OF_THE_BODY = /^content-(?:type|length|encoding)$/i;
// RFC 9110 12.5.3.
const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

/** What is sent for a rendering: 304 when the client already has it, gzip when it accepts that, no body for HEAD. */
export async function answerWith(rendering: Rendering, asked: Asked, status = 200): Promise<Answer> {
  const { fields, length } = rendering;
  const known = asked.headers['if-none-match']?.split(',').map(weakly) ?? [];
  if (status === 200 && (known.includes(weakly(rendering.etag)) || known.includes('*'))) {
    return { status: 304, fields: fields.filter((_, at) => !OF_THE_BODY.test(fields[at - (at % 2)] ?? '')) };
  }
  const gzip = rendering.compressible && ACCEPTS_GZIP.test(asked.headers['accept-encoding'] ?? '');
  const compressed = gzip ? await rendering.compressed() : undefined;
  const all = [...fields, 'Content-Length', String(compressed?.length ?? length)];
  if (gzip) all.push('Content-Encoding', 'gzip');
  if (asked.method === 'HEAD') return { status, fields: all };
  return { status, fields: all, body: compressed ?? rendering.plain() };
}

export function askedBy(c: Context): Asked {
  const headers: Record<string, string> = {};
  // One by one: to list them all builds a `Headers` of each field that was sent.
  for (const name of ASKED_FIELDS) {
    const value = c.req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return { method: c.req.method, headers };
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set for the answer that `respond` made: it has all its header fields. */
    isRendered?: true;
  }
}

let turn: Promise<void> | undefined;

/** Resolves once the event loop has taken what came in: answers are written together, since each write may wake a client. */
function endOfTurn(): Promise<void> {
  turn ??= setImmediate().then(() => {
    turn = undefined;
  });
  return turn;
}

/** Sends a rendering from the app. */
export async function respond(c: Context, rendering: Rendering, status = 200): Promise<Response> {
  const { body, fields, ...answer } = await answerWith(rendering, askedBy(c), status);
  await endOfTurn();
  const headers: Record<string, string> = {};
  for (let at = 0; at < fields.length; at += 2) headers[fields[at] ?? ''] = fields[at + 1] ?? '';
  c.set('isRendered', true);
  const stream = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : undefined;
  return new Response(stream ?? (body as string | Uint8Array<ArrayBuffer> | undefined), {
    ...answer,
    headers,
  });
}
