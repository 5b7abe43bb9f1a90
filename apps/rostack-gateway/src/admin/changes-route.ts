import type { Handler } from 'hono';
import type { Store, StoreChange } from 'rostack-store';
import type { AdminAppOptions } from './admin-options.ts';
import { writableStore } from './admin-options.ts';
import { AdminProblem, toAdminProblem } from './admin-problem.ts';
import { parseChangeLine } from './change-line.ts';
import { applyEach, type ChangeOutcome } from './changes/apply-each.ts';
import type { LineFault } from './changes/json-line.ts';
import { type Line, LineSplitter } from './changes/line-splitter.ts';

const NDJSON = 'application/x-ndjson';
const MEDIA_TYPES = new Set([NDJSON, 'application/ndjson', 'application/jsonl']);
const BATCH_CHANGES = 1_000;
/** Room in a line for everything but its record. */
const LINE_SLACK_BYTES = 4_096;

interface Counts {
  lines: number;
  changed: number;
  unchanged: number;
  refused: number;
}

/**
 * `POST /resources/{name}/changes`: a stream of changes as NDJSON, answered with one line for each, in order, and a last line with the
 * counts. Each change succeeds or fails by itself. More is read only when the client has taken the earlier results, so a client that does
 * not read stalls its own stream.
 */
export function changesRoute(options: AdminAppOptions): Handler {
  return (c) => {
    const name = c.req.param('name') ?? '';
    const store = writableStore(options, name);
    const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!MEDIA_TYPES.has(mediaType)) {
      throw new AdminProblem('media_type_unsupported', `Send the changes as ${NDJSON}.`);
    }
    const results = writeChanges(store, name, linesOf(c.req.raw.body, options.maxRecordBytes), options);
    return c.body(toStream(results), 200, { 'Content-Type': NDJSON, 'Cache-Control': 'no-store' });
  };
}

/** Yields the lines that each piece of the body completes, so that a slow client gets its results as soon as it has sent the lines. */
async function* linesOf(
  body: ReadableStream<Uint8Array> | null,
  maxRecordBytes: number,
): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter({ maxLineBytes: maxRecordBytes + LINE_SLACK_BYTES });
  for await (const piece of body ?? []) {
    const lines = splitter.push(piece);
    for (let from = 0; from < lines.length; from += BATCH_CHANGES)
      yield lines.slice(from, from + BATCH_CHANGES);
  }
  yield splitter.end();
}

async function* writeChanges(
  store: Store,
  resource: string,
  batches: AsyncIterable<Line[]>,
  { logger }: AdminAppOptions,
): AsyncGenerator<string> {
  const counts: Counts = { lines: 0, changed: 0, unchanged: 0, refused: 0 };
  try {
    for await (const lines of batches) {
      const results = await writeBatch(store, resource, lines, counts);
      if (results !== '') yield results;
    }
  } catch (error) {
    const { code, message, retryable } = toAdminProblem(error);
    if (code === 'internal_error') logger.error({ err: error, resource }, 'change stream failed');
    // Lines after the last result may have been written. They can be sent again if they name a version or hold the whole record.
    yield `${JSON.stringify({ done: false, ...counts, code, message, retryable })}\n`;
    return;
  } finally {
    logger.info({ resource, ...counts }, 'change stream ended');
  }
  yield `${JSON.stringify({ done: true, ...counts })}\n`;
}

async function writeBatch(
  store: Store,
  resource: string,
  lines: readonly Line[],
  counts: Counts,
): Promise<string> {
  const parsed = lines.map((line) => ({ line: line.line, read: parseChangeLine(resource, line) }));
  const changes = parsed.flatMap(({ read }): StoreChange[] => ('change' in read ? [read.change] : []));
  const outcomes = await applyEach(store, changes);
  let next = 0;
  let text = '';
  for (const { line, read } of parsed) {
    const outcome = 'fault' in read ? read : outcomes[next];
    if ('change' in read) next += 1;
    if (outcome !== undefined) text += `${JSON.stringify({ line, ...describe(outcome, counts) })}\n`;
  }
  return text;
}

function describe(outcome: ChangeOutcome | { readonly fault: LineFault }, counts: Counts): object {
  counts.lines += 1;
  if ('result' in outcome) {
    const { id, changed, transition, version, position } = outcome.result;
    counts[changed ? 'changed' : 'unchanged'] += 1;
    return { status: changed ? 'changed' : 'unchanged', id, transition, version, position };
  }
  counts.refused += 1;
  if ('fault' in outcome) return { status: 'refused', ...outcome.fault };
  const { presentVersion, ...refusal } = outcome.refusal;
  return { status: 'refused', ...refusal, present_version: presentVersion };
}

/** Pulls only when the client reads; nothing is made in advance. */
function toStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
