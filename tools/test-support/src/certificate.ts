import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM; also the authority to trust. */
  readonly cert: string;
}

/** Makes a certificate for localhost. */
export async function makeCertificate(): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
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
