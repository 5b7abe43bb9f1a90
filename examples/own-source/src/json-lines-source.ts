import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import * as core from 'rostack-core';

/** Notes in a file where each line is a change. Only one process at a time may have it open. */
export class JsonLinesSource implements core.RecordSource {
  readonly #moved = new EventEmitter();
  readonly #file: string;
  readonly #changes: core.Change[];
  constructor(file: string) {
    this.#file = file;
    const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);
    this.#changes = lines.map((line) => JSON.parse(line) as core.Change);
  }
  /** Writes a note; without one, deletes the note with the id. */
  write(id: string, note?: core.JsonObject): void {
    const [position, tag] = [this.#changes.length + 1, randomUUID().slice(-12)];
    const before = this.#changes.findLast((change) => change.id === id)?.after;
    const after = note && JSON.stringify(note);
    const transition = after === undefined ? 'delete' : before === undefined ? 'create' : 'update';
    const names = { tag, eventId: tag, eventType: `note.${transition}`, version: `${position}-${tag}` };
    const change = { position, ...names, transition, id, occurredAtMs: Date.now(), before, after } as const;
    appendFileSync(this.#file, `${JSON.stringify(change)}\n`, { flush: true });
    this.#changes.push(change);
    this.#moved.emit('moved');
  }
  async head(): Promise<core.Head> {
    const { position, tag } = this.#changes.at(-1) ?? { position: 0, tag: '' };
    return { position, tag, floor: 0, epoch: 'notes' };
  }
  async tagAt(position: core.Position): Promise<string | undefined> {
    return position === 0 ? '' : this.#changes[position - 1]?.tag;
  }
  async read(after: core.Position, limit: number, tag?: string): Promise<core.Change[]> {
    const found = await this.tagAt(after);
    if (found === undefined || found !== (tag ?? found)) throw new core.PositionExpiredError(`no ${after}`);
    return this.#changes.slice(after, after + limit);
  }
  async page(query: core.PageQuery): Promise<core.Page> {
    const head = await this.head();
    const at = query.at ?? head.position;
    await this.read(at, 0, query.tag); // Refuses what is not in the log.
    return core.pageOf(head, this.#notesAt(at), query);
  }
  async get(id: string, visible?: core.Filter): Promise<core.StoredRecord | 'gone' | undefined> {
    const last = this.#changes.findLast((change) => change.id === id);
    if (last === undefined) return undefined;
    const body = last.after ?? last.before ?? '';
    if (visible && !core.compileFilter(visible)(JSON.parse(body) as core.JsonObject)) return undefined;
    return last.after === undefined ? 'gone' : { ...last, body };
  }
  watch(onMoved: () => void): () => void {
    this.#moved.on('moved', onMoved);
    return () => this.#moved.off('moved', onMoved);
  }
  #notesAt(position: core.Position): core.StoredRecord[] {
    const newest = new Map(this.#changes.slice(0, position).map((change) => [change.id, change]));
    return [...newest.values()].flatMap(({ after, ...change }) => (after ? { ...change, body: after } : []));
  }
}
