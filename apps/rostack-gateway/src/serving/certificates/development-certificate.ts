import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { readIfPresent, writeWhole } from '../../text/whole-file.ts';

const DAY_MS = 86_400_000;
const LIFETIME_DAYS = 365;
/** Renewed before the alarm about expiring certificates. */
const RENEW_BEFORE_DAYS = 30;

/** A key and a self-signed certificate for localhost, 127.0.0.1 and ::1. */
export interface DevelopmentCertificate {
  /** File of the certificate, for `curl --cacert` or a browser's list of authorities. */
  readonly certificatePath: string;
  readonly certificatePem: string;
  readonly keyPem: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/**
 * Reads the development certificate of a folder, or makes one there: P-256, 365 days, renewed in its last 30 days, and if the clock was set
 * back to before its start. The key file is readable by its owner only.
 */
export async function ensureDevelopmentCertificate(
  folder: string,
  nowMs: number,
): Promise<DevelopmentCertificate> {
  const certificatePath = join(folder, 'localhost.crt.pem');
  const keyPath = join(folder, 'localhost.key.pem');
  const [certificatePem, keyPem] = await Promise.all([
    readIfPresent(certificatePath),
    readIfPresent(keyPath),
  ]);
  if (certificatePem !== undefined && keyPem !== undefined) {
    const { validFromDate, validToDate } = new X509Certificate(certificatePem);
    const expiresAtMs = validToDate.getTime();
    const isCurrent = validFromDate.getTime() <= nowMs && expiresAtMs - nowMs > RENEW_BEFORE_DAYS * DAY_MS;
    if (isCurrent) return { certificatePath, certificatePem, keyPem, expiresAtMs };
  }

  const expiresAtMs = nowMs + LIFETIME_DAYS * DAY_MS;
  // Imported only when needed: it takes 5 MiB of memory.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(nowMs - DAY_MS),
    notAfterDate: new Date(expiresAtMs),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  await writeWhole(keyPath, made.private, 0o600);
  await writeWhole(certificatePath, made.cert, 0o644);
  return { certificatePath, certificatePem: made.cert, keyPem: made.private, expiresAtMs };
}
