import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Head, RecordSource } from 'rostack-core';
import { parseStrictJson } from 'rostack-core';
import { z } from 'zod';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { errorMessage } from '../../text/error-message.ts';
import { isSqliteUrl, sqliteFileOf } from '../../text/sqlite-url.ts';
import { readIfPresent, writeWhole } from '../../text/whole-file.ts';

const LOOK_INTERVAL_MS = 10_000;

const headModel = z.strictObject({ epoch: z.string(), position: z.number().int().min(0), tag: z.string() });
const fileModel = z.strictObject({ format: z.literal(1), heads: z.record(z.string(), headModel) });

type CheckpointedHead = Omit<Head, 'floor'>;

export interface HeadCheckpointOptions {
  readonly dataDir: string;
  readonly store: Pick<GatewayConfig['store'], 'url' | 'schema'>;
  readonly sources: ReadonlyMap<string, RecordSource>;
  /** Called with a message for operators when a log no longer holds what it held. */
  readonly onLost: (message: string) => void;
  readonly log: (line: string) => void;
  /** How often the heads are checked. @default 10000 */
  readonly lookIntervalMs?: number;
}

/**
 * Keeps in a file where the logs ended, and notices when one of them has lost changes since. It only informs the operator: cursors of a
 * lost history are refused because of their tag.
 */
export class HeadCheckpoint implements AsyncDisposable {
  readonly #options: HeadCheckpointOptions;
  /** Undefined for a store in memory. */
  readonly #path: string | undefined;
  readonly #heads = new Map<string, CheckpointedHead>();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #isWritten = true;
  #hasReportedWriting = false;

  private constructor(options: HeadCheckpointOptions) {
    this.#options = options;
    this.#path = pathFor(options);
  }

  /** Compares the logs with the file, then checks them regularly until it is disposed of. */
  static async start(options: HeadCheckpointOptions): Promise<HeadCheckpoint> {
    const heads = new HeadCheckpoint(options);
    if (heads.#path === undefined) return heads;
    await heads.#read(heads.#path);
    await heads.#check();
    heads.#timer = setInterval(() => void heads.#check(), options.lookIntervalMs ?? LOOK_INTERVAL_MS).unref();
    return heads;
  }

  /** Remembers where the logs end now. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
    await this.#check();
  }

  async #read(path: string): Promise<void> {
    try {
      const text = await readIfPresent(path);
      if (text === undefined) return;
      const { heads } = fileModel.parse(parseStrictJson(text));
      for (const [name, head] of Object.entries(heads)) this.#heads.set(name, head);
    } catch (error) {
      const { log } = this.#options;
      log(
        `${path} cannot be used, so the logs are not compared with it (${reasonOf(error)}); it is written again`,
      );
    }
  }

  #check(): Promise<void> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkAll(): Promise<void> {
    if (this.#path === undefined) return;
    const { sources } = this.#options;
    // The readiness check reports a store that cannot be read.
    await Promise.all([...sources].map(([name, source]) => this.#checkLog(name, source).catch(() => {})));
    if (!this.#isWritten) await this.#write(this.#path);
  }

  async #checkLog(name: string, source: RecordSource): Promise<void> {
    const { epoch, position, tag } = await source.head();
    const last = this.#heads.get(name);
    if (last?.epoch === epoch && last.position === position && last.tag === tag) return;
    const fault = last?.epoch === epoch ? await faultSince(last, position, source) : undefined;
    if (fault !== undefined) {
      this.#options.onLost(
        `the log of ${name} ${fault}: changes were lost, or the database was put back; cursors that name them are refused, and \`rostack-gateway renew-epoch\` voids everything`,
      );
    }
    this.#heads.set(name, { epoch, position, tag });
    this.#isWritten = false;
  }

  async #write(path: string): Promise<void> {
    const text = JSON.stringify({ format: 1, heads: Object.fromEntries(this.#heads) }, null, 2);
    try {
      await writeWhole(path, `${text}\n`, 0o600);
      this.#isWritten = true;
    } catch (error) {
      if (this.#hasReportedWriting) return;
      this.#hasReportedWriting = true;
      const { log } = this.#options;
      log(`${path} cannot be written (${reasonOf(error)}): a start may not notice that changes were lost`);
    }
  }
}

/** How a log differs from its remembered end; undefined if it does not, or if there is no way to know. */
async function faultSince(
  last: CheckpointedHead,
  position: number,
  source: RecordSource,
): Promise<string | undefined> {
  if (position < last.position) {
    return `ended at ${last.position} when this gateway last saw it, and ends at ${position} now`;
  }
  const tag = await source.tagAt(last.position);
  // Older releases wrote no tags, and nothing is kept below the floor.
  if (!tag || last.tag === '' || tag === last.tag) return undefined;
  return `holds another change at ${last.position} than when this gateway last saw it`;
}

/** A separate file for each store, so that stores are not mixed up; undefined for a store in memory. */
function pathFor({ dataDir, store }: HeadCheckpointOptions): string | undefined {
  const identity = identityOf(store);
  if (identity === undefined) return undefined;
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  return join(dataDir, 'heads', `${key}.json`);
}

/** Identifies the database without credentials, which may change while it stays the same. */
function identityOf({
  url,
  schema,
}: HeadCheckpointOptions['store']): readonly (string | null | undefined)[] | undefined {
  if (isSqliteUrl(url)) {
    const file = sqliteFileOf(url);
    return file === undefined ? undefined : [file];
  }
  const { hostname, port, pathname, searchParams } = new URL(url);
  return [hostname, port, pathname, searchParams.get('host'), searchParams.get('port'), schema];
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return 'its content is not what a gateway writes';
  return errorMessage(error);
}
