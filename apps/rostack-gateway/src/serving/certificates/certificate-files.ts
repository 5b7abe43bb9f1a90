import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import type { Server } from 'node:https';
import { basename, dirname } from 'node:path';
import { defineError } from 'rostack-core';
import { errorMessage } from '../../text/error-message.ts';
import { readTextFile } from '../../text/text-file.ts';

/** A renewal replaces certificate and key one after the other, so both are read only after this pause. */
const SETTLE_MS = 200;

/** The certificate files cannot be used. */
export class CertificateError extends defineError('CertificateError', 'certificate_invalid', false) {}

export interface CertificateFilePaths {
  readonly certificateFile: string;
  readonly keyFile: string;
}

interface CertificatePair {
  readonly cert: string;
  readonly key: string;
  /** When the first of the certificates in the file expires, in milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/**
 * Reads a certificate and its key.
 * @param nowMs milliseconds since 1970; undefined for a certificate of any time
 * @throws CertificateError `certificate_invalid` when a file cannot be read, the two do not belong together, or the certificate is not
 * valid at this time
 */
export async function readCertificatePair(
  paths: CertificateFilePaths,
  nowMs: number | undefined,
): Promise<CertificatePair> {
  const { certificateFile, keyFile } = paths;
  try {
    const [cert, key] = await Promise.all([readTextFile(certificateFile), readTextFile(keyFile)]);
    const certificate = new X509Certificate(cert);
    if (certificate.checkPrivateKey(createPrivateKey(key))) {
      const fault = nowMs === undefined ? undefined : faultOfTime(certificate, nowMs);
      if (fault !== undefined) throw new Error(fault);
      return { cert, key, expiresAtMs: firstExpiry(cert) };
    }
  } catch (error) {
    const reason = errorMessage(error);
    throw new CertificateError(
      `the certificate ${certificateFile} and the key ${keyFile} cannot be used: ${reason}`,
    );
  }
  throw new CertificateError(
    `the certificate ${certificateFile} and the key ${keyFile} do not belong together`,
  );
}

function faultOfTime({ validFromDate, validToDate }: X509Certificate, nowMs: number): string | undefined {
  if (validToDate.getTime() < nowMs) return `the certificate has expired at ${validToDate.toISOString()}`;
  if (validFromDate.getTime() <= nowMs) return undefined;
  return `the certificate is not valid before ${validFromDate.toISOString()}`;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

/**
 * The first expiry of any certificate in the file. Clients may build another chain than the one in the file, so this only decides when to
 * renew.
 */
function firstExpiry(pem: string): number {
  return Math.min(
    ...(pem.match(CERTIFICATE) ?? [pem]).map((each) => new X509Certificate(each).validToDate.getTime()),
  );
}

/** A certificate and its key in two files, which may be replaced while they are in use. */
export class CertificateFiles {
  readonly #paths: CertificateFilePaths;
  readonly #log: (line: string) => void;
  readonly #nowMs: () => number;
  readonly #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  #inUse: CertificatePair | undefined;

  /** @param nowMs milliseconds since 1970 */
  constructor(paths: CertificateFilePaths, log: (line: string) => void, nowMs: () => number) {
    this.#paths = paths;
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** When the certificate in use expires, in milliseconds since 1970; undefined before it was read. */
  get expiresAtMs(): number | undefined {
    return this.#inUse?.expiresAtMs;
  }

  /** @throws CertificateError `certificate_invalid` */
  async read(): Promise<CertificatePair> {
    this.#inUse = await readCertificatePair(this.#paths, this.#nowMs());
    return this.#inUse;
  }

  /** Uses the current content of the files for new connections; keeps the old one if the new one cannot be used. */
  async reload(server: Server): Promise<void> {
    const before = this.#inUse;
    try {
      const pair = await this.read();
      if (pair.cert === before?.cert && pair.key === before.key) return;
      server.setSecureContext(pair);
      this.#log(`certificate read again from ${this.#paths.certificateFile}`);
    } catch (error) {
      this.#log(`the old certificate stays in use: ${errorMessage(error)}`);
    }
  }

  /** Reloads when a file changes. It watches the folders, since renewals replace files and links. */
  watch(server: Server): void {
    const { certificateFile, keyFile } = this.#paths;
    for (const folder of new Set([dirname(certificateFile), dirname(keyFile)])) {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name !== null && !this.#concerns(name)) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.reload(server), SETTLE_MS);
      });
      watcher.on('error', (error) =>
        this.#log(`the certificate files are no longer watched: ${String(error)}`),
      );
      this.#watchers.push(watcher);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }

  /** Kubernetes replaces a link named `..data` in the folder of the files. */
  #concerns(name: string): boolean {
    const { certificateFile, keyFile } = this.#paths;
    return name === '..data' || name === basename(certificateFile) || name === basename(keyFile);
  }
}
