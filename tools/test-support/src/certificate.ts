import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM; also the authority to trust. */
  readonly cert: string;
}

/** When a certificate is valid. */
export interface CertificateTimes {
  readonly notBeforeDate?: Date;
  readonly notAfterDate?: Date;
}

/** Makes a certificate for localhost. @param times a year from now on, unless they say otherwise */
export async function makeCertificate(times: CertificateTimes = {}): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    ...times,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  return { key: made.private, cert: made.cert };
}

let shared: Promise<Certificate> | undefined;

/** One certificate for localhost for all servers of this process. */
export function localhostCertificate(): Promise<Certificate> {
  return (shared ??= makeCertificate());
}
