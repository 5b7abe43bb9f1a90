import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { loadImplementation } from '../src/config/compatibility/load-implementation.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const SECRET = 'hunter2hunter2';
const BRACKETS = 20_000;

const FOREIGN: readonly (readonly [string, string | Buffer])[] = [
  ['bytes that are no UTF-8', Buffer.from(`${SECRET}: \u00ff`, 'latin1')],
  ['open brackets', '['.repeat(BRACKETS)],
  ['nested brackets', '['.repeat(BRACKETS) + ']'.repeat(BRACKETS)],
  ['nested maps', '{"a":'.repeat(BRACKETS) + '1' + '}'.repeat(BRACKETS)],
  ['a list of dashes', '- '.repeat(BRACKETS)],
  ['a file of passwords', `root:${SECRET}:0:0\n${SECRET}: "x\n`],
  ['a file of variables', `${SECRET}="${SECRET}\n}`],
  ['a private key', `-----BEGIN ${SECRET}-----\n@${SECRET}\n%${SECRET}: [`],
  ['a tag', `!${SECRET} x`],
  ['an alias', `a: *${SECRET}`],
  ['a directive', `%${SECRET} x\n---\na: "\\${SECRET}"`],
  ['JSON that goes on', `{"a": 1} ${SECRET}`],
];

/** The message of what a promise is rejected with. */
const messageOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => `${(error as { code: string }).code}: ${(error as Error).message}`,
  );

describe.each(FOREIGN)('%s', (_name, content) => {
  test('as a configuration is refused with a sentence, without what is in it', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'gateway.yaml');
    await writeFile(file, content);
    const message = await messageOf(loadConfig(file, { environment: {} }));
    expect(message).toMatch(/^config_invalid: .*[a-z]/);
    expect(message.length).toBeLessThan(1_000);
    expect(message).not.toContain(SECRET);
  });

  test('as a schema is refused with a sentence, without what is in it', async () => {
    await using folder = await temporaryFolder();
    const file = await writeSampleConfig(folder.path, {});
    await writeFile(join(folder.path, 'station.schema.json'), content);
    const message = await messageOf(loadConfig(file, { environment: {} }));
    expect(message).toMatch(/^config_invalid: .*resources\.stations\.schema.*station\.schema\.json/);
    expect(message.length).toBeLessThan(1_000);
    expect(message).not.toContain(SECRET);
  });

  test('as a certificate is refused with a sentence, without what is in it', async () => {
    await using folder = await temporaryFolder();
    for (const name of ['cert.pem', 'key.pem']) await writeFile(join(folder.path, name), content);
    const file = await writeSampleConfig(folder.path, {
      sections:
        'public_url: https://data.example\nlisteners: { data: { port: 0, tls: { certificate: cert.pem, key: key.pem } } }',
    });
    const message = await messageOf(loadConfig(file, { environment: {} }));
    expect(message).toMatch(/^config_invalid: .*cert\.pem.* cannot be (?:used|read)/s);
    expect(message).not.toContain(SECRET);
  });

  test('as an implementation to compare is refused with a sentence, without what is in it', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'served.json');
    await writeFile(file, content);
    const message = await messageOf(loadImplementation(file, { timeoutMs: 1_000 }));
    expect(message).toMatch(/^implementation_unreadable: /);
    expect(message.length).toBeLessThan(1_000);
    expect(message).not.toContain(SECRET);
  });
});

test.each([
  ['as Windows saves it', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['without a mark', (text: string) => Buffer.from(text, 'utf16le')],
  ['big-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('a file in UTF-16 is named as such: %s', async (_name, encoded) => {
  await using folder = await temporaryFolder();
  const file = await writeSampleConfig(folder.path, {});
  const text = await readFile(file, 'utf8');
  await writeFile(file, encoded(text));
  const message = await messageOf(loadConfig(file, { environment: {} }));
  expect(message).toContain('it is UTF-16; save it as UTF-8');
});

test('a secret in a file that is no UTF-8 is refused, and brackets in a variable are', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'keys'), Buffer.from(`${SECRET}\u00ff`.repeat(5), 'latin1'));
  const file = await writeSampleConfig(folder.path, { sections: 'keys: { file: keys }' });
  const message = await messageOf(loadConfig(file, { environment: {} }));
  expect(message).toMatch(/keys cannot be read \(it is not text in UTF-8\)/);
  const environment = { ROSTACK__LISTENERS__DATA__TRUSTED_PROXIES: '['.repeat(BRACKETS) };
  const plain = await writeSampleConfig(folder.path, {});
  expect(await messageOf(loadConfig(plain, { environment }))).toContain('is not YAML');
});
