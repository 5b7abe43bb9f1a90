import type { Context, Handler } from 'hono';
import { formatEtag, type JsonObject, recordIdText, resolvePointer } from 'rostack-core';
import type { Store, StoreChange } from 'rostack-store';
import { type AdminAppOptions, writableStore } from './admin-options.ts';
import { AdminProblem, refusalProblem } from './admin-problem.ts';
import { applyEach } from './changes/apply-each.ts';
import { parseObject } from './changes/json-line.ts';

const ENTITY_TAG = /^"([\x21\x23-\x7e]*)"$/;

/** The conditions of a write: `If-Match`, `If-None-Match`, and the event that the client names. */
type Conditions = Pick<StoreChange, 'expectedVersion' | 'event'>;

/** `PUT /resources/{name}/{id}`: writes the record of the body. */
export function putRoute(options: AdminAppOptions): Handler {
  return async (c) => {
    const { name, id } = targetOf(c);
    const store = writableStore(options, name);
    const record = await readRecord(c, options.maxRecordBytes);
    const idInRecord = resolvePointer(record, options.idPaths.get(name) ?? []);
    if (recordIdText(idInRecord) !== id) {
      throw new AdminProblem(
        'request_invalid',
        `The id in the record is ${JSON.stringify(idInRecord)}, in the path ${JSON.stringify(id)}.`,
      );
    }
    return write(c, store, {
      resource: name,
      op: 'put',
      record,
      ...(await conditionsOf(c, store, name, id)),
    });
  };
}

/** `DELETE /resources/{name}/{id}`; a delete of nothing changes nothing. */
export function deleteRoute(options: AdminAppOptions): Handler {
  return async (c) => {
    const { name, id } = targetOf(c);
    const store = writableStore(options, name);
    return write(c, store, { resource: name, op: 'delete', id, ...(await conditionsOf(c, store, name, id)) });
  };
}

function targetOf(c: Context): { readonly name: string; readonly id: string } {
  return { name: c.req.param('name') ?? '', id: c.req.param('id') ?? '' };
}

async function write(c: Context, store: Store, change: StoreChange): Promise<Response> {
  const [outcome] = await applyEach(store, [change]);
  if (outcome === undefined) throw new Error('the store returned no outcome for a change');
  if ('refusal' in outcome) throw refusalProblem(outcome.refusal);
  const { id, changed, transition, version, position } = outcome.result;
  if (change.op === 'put' && version !== undefined) c.header('ETag', formatEtag(version));
  return c.json({ id, changed, transition, version, position }, transition === 'create' ? 201 : 200);
}

async function readRecord(c: Context, maxBytes: number): Promise<JsonObject> {
  const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new AdminProblem('media_type_unsupported', 'Send the record as application/json.');
  }
  const parsed = parseObject(await readBody(c.req.raw.body, maxBytes));
  if ('record' in parsed) return parsed.record;
  const { pointer, message } = parsed.fault;
  if (pointer !== undefined)
    throw refusalProblem({ code: 'record_invalid', message, pointer, presentVersion: undefined });
  throw new AdminProblem('request_invalid', message.replace(/^the line/, 'the body'));
}

async function conditionsOf(c: Context, store: Store, name: string, id: string): Promise<Conditions> {
  const event = c.req.header('x-rostack-event') ?? c.req.query('event');
  const ifMatch = c.req.header('if-match')?.trim();
  const ifNoneMatch = c.req.header('if-none-match')?.trim();
  const conditions: Conditions = event === undefined ? {} : { event };
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch !== '*' || ifMatch !== undefined) {
      throw new AdminProblem(
        'request_invalid',
        'If-None-Match takes * alone, and not together with If-Match.',
      );
    }
    return { ...conditions, expectedVersion: null };
  }
  if (ifMatch === undefined) return conditions;
  if (ifMatch !== '*') return { ...conditions, expectedVersion: versionOf(ifMatch) };
  const present = await store.source(name).get(id);
  if (present === undefined || present === 'gone') {
    throw new AdminProblem('precondition_failed', 'There is no such record.', {
      members: { present_version: null },
    });
  }
  return { ...conditions, expectedVersion: present.version };
}

function versionOf(entityTag: string): string {
  const version = ENTITY_TAG.exec(entityTag)?.[1];
  if (version !== undefined) return version;
  throw new AdminProblem(
    'request_invalid',
    'If-Match takes one entity tag in quotes, such as "abc-1", or *.',
  );
}

/** The text of a body. @throws AdminProblem when it is too large or not UTF-8 */
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
