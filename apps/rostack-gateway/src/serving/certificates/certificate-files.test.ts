import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { makeCertificate } from 'test-support/certificate';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeCertificate } from '../../../test/support/certificates.ts';
import { CertificateFiles, readCertificatePair } from './certificate-files.ts';

const DAY_MS = 86_400_000;
const notBeforeDate = new Date(Date.UTC(2026, 10, 1));
const notAfterDate = new Date(Date.UTC(2027, 0, 30));

let folder: TemporaryFolder;
let paths: { readonly certificateFile: string; readonly keyFile: string };

beforeEach(async () => {
  folder = await temporaryFolder();
  paths = { certificateFile: join(folder.path, 'tls.crt'), keyFile: join(folder.path, 'tls.key') };
});

afterEach(() => folder[Symbol.asyncDispose]());

test.each([
  [notBeforeDate.getTime() - 1_000, 'is not valid before 2026-11-01T00:00:00.000Z'],
  [notAfterDate.getTime() + 1_000, 'has expired at 2027-01-30T00:00:00.000Z'],
])('a certificate outside of its time is refused, with that time (%#)', async (nowMs, says) => {
  await writeCertificate(folder.path, { notBeforeDate, notAfterDate });
  await expect(readCertificatePair(paths, nowMs)).rejects.toMatchObject({
    code: 'certificate_invalid',
    message: expect.stringContaining(says),
  });
});

test('within its time it is read, and so is the end of that, or of what follows it in the file if that is earlier', async () => {
  await writeCertificate(folder.path, { notBeforeDate, notAfterDate });
  const nowMs = notBeforeDate.getTime() + DAY_MS;
  expect(await readCertificatePair(paths, nowMs)).toMatchObject({ expiresAtMs: notAfterDate.getTime() });
  const earlier = new Date(notAfterDate.getTime() - DAY_MS);
  const { cert } = await makeCertificate({ notBeforeDate, notAfterDate: earlier });
  await appendFile(paths.certificateFile, `\n${cert}`);
  expect(await readCertificatePair(paths, nowMs)).toMatchObject({ expiresAtMs: earlier.getTime() });
});

test('one that has expired does not take the place of the one in use', async () => {
  const lines: string[] = [];
  const nowMs = notBeforeDate.getTime() + DAY_MS;
  await writeCertificate(folder.path, { notBeforeDate, notAfterDate });
  const files = new CertificateFiles(
    paths,
    (line) => lines.push(line),
    () => nowMs,
  );
  const server = createServer(await files.read());
  await writeCertificate(folder.path, { notBeforeDate, notAfterDate: new Date(nowMs - 1_000) });
  await files.reload(server);
  expect(lines).toEqual([expect.stringMatching(/^the old certificate stays in use: .* has expired at /)]);
  expect(files.expiresAtMs).toBe(notAfterDate.getTime());
});
