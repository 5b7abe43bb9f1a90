import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test, vi } from 'vitest';
import { writeSampleConfig } from '../../../test/support/sample-config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { MAX_UNREAD_BYTES } from './bounded-writes.ts';
import { configSecrets, createLogger } from './logger.ts';
import { createScrubber } from './scrub.ts';

test('no secret of a configuration gets into a log, in whichever form it was written', async () => {
  await using folder = await temporaryFolder();
  const environment = {
    STORE_URL: 'postgres://gateway:p%40ss%2Fword-1@db/x?password=p%40ss-in-query',
    ADMIN_TOKEN: 'admin-token-0123456789',
    KEYS: 'keys-0123456789abcdef0123456789abcdef',
    NATS_TOKEN: 'nats-token-0123456789',
    OTLP_HEADERS: 'authorization=otlp-secret-1, x-other=otlp-secret=2',
  };
  const file = await writeSampleConfig(folder.path, {
    storeUrl: environment.STORE_URL,
    sections: `
keys: { env: KEYS }
listeners: { data: { port: 0 }, admin: { port: 0, token: { env: ADMIN_TOKEN } } }
hints: { nats_servers: ["127.0.0.1:4222"], nats_token: { env: NATS_TOKEN } }
telemetry: { otlp_endpoint: "http://127.0.0.1:4318", otlp_headers: { env: OTLP_HEADERS } }`,
  });
  const scrub = createScrubber(configSecrets(await loadConfig(file, { environment })));
  const texts = [
    'p@ss/word-1',
    'p%40ss%2Fword-1',
    'p@ss-in-query',
    environment.ADMIN_TOKEN,
    environment.KEYS,
    environment.NATS_TOKEN,
    'otlp-secret-1',
    'otlp-secret=2',
  ];
  expect(texts.map((text) => scrub(`it is ${text} here`))).toEqual(texts.map(() => 'it is [redacted] here'));
});

test.each(['json', 'text'] as const)(
  'no text in a %s log controls a terminal or makes a line of its own',
  async (format) => {
    const hostile = 'a\n2026-11-01T00:00:00.000Z info forged\u001b[2J\u009b1m\u202e\u007f\u2028';
    const destination = new PassThrough();
    const logger = createLogger({ level: 'info', format, destination, secrets: [] });
    logger.info({ path: hostile, nested: { id: hostile } }, hostile);
    destination.end();
    const written = await text(destination);
    expect(written.trimEnd()).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(written).toContain('\\u001b[2J');
    const value: unknown =
      format === 'json' ? JSON.parse(written) : { msg: hostile, nested: { id: hostile } };
    expect(value).toMatchObject({ msg: hostile, nested: { id: hostile } });
  },
);

/** A stream whose writes complete only once it is read, like a full pipe. */
class Unread extends Writable {
  lines: string[] = [];
  #isRead = false;
  #waiting: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.lines.push(chunk.toString());
    if (this.#isRead) done();
    else this.#waiting = done;
  }

  read(): void {
    this.#isRead = true;
    this.#waiting?.();
  }
}

test.each(['json', 'text'] as const)(
  'a %s log that nobody reads takes bounded memory, and what is missing is counted',
  async (format) => {
    const destination = new Unread();
    const logger = createLogger({ level: 'info', format, destination, secrets: [] });
    const long = 'x'.repeat(10_000);
    for (let count = 0; count < 2_000; count += 1) logger.info({ count }, long);
    expect(destination.writableLength).toBeLessThan(MAX_UNREAD_BYTES + 20_000);
    destination.read();
    await vi.waitFor(() => expect(destination.writableLength).toBe(0));
    const written = destination.lines.length;
    logger.info('read again');
    await vi.waitFor(() => expect(destination.lines).toHaveLength(written + 2));
    const [told, last] = destination.lines.slice(-2);
    const said = format === 'json' ? `"lines":${2_000 - written}` : `lines=${2_000 - written}`;
    expect(told).toContain(said);
    expect(told).toContain('were dropped: it was not read fast enough');
    expect(last).toContain('read again');
    logger.info('once more');
    await vi.waitFor(() => expect(destination.lines).toHaveLength(written + 3));
  },
);
