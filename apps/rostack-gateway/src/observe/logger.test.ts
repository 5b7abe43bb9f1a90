import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { writeSampleConfig } from '../../test/support/sample-config.ts';
import { loadConfig } from '../config/load-config.ts';
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
