import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureDevelopmentCertificate } from './development-certificate.ts';

const DAY_MS = 86_400_000;
const nowMs = Date.UTC(2026, 10, 20);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificate-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('is for localhost by name and by both loopback addresses, and its key is private', async () => {
  const made = await ensureDevelopmentCertificate(folder, nowMs);
  const certificate = new X509Certificate(made.certificatePem);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect((await stat(join(folder, 'localhost.key.pem'))).mode & 0o777).toBe(0o600);
});

test('is kept over restarts and renewed in its last 30 days, or when it is not valid yet', async () => {
  const first = await ensureDevelopmentCertificate(folder, nowMs);
  const later = await ensureDevelopmentCertificate(folder, nowMs + 334 * DAY_MS);
  const renewed = await ensureDevelopmentCertificate(folder, nowMs + 336 * DAY_MS);
  expect(later.certificatePem).toBe(first.certificatePem);
  const earlier = await ensureDevelopmentCertificate(folder, nowMs);
  expect(renewed.certificatePem).not.toBe(first.certificatePem);
  expect(earlier.certificatePem).not.toBe(renewed.certificatePem);
  expect(new X509Certificate(earlier.certificatePem).validToDate.getTime()).toBe(earlier.expiresAtMs);
});
