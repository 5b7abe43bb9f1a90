import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';

export interface TrustedCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for localhost that this process trusts in `fetch` and `WebSocket`, as a user's process would trust a real one. */
export async function trustedCertificate(): Promise<TrustedCertificate> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  setDefaultCACertificates([...getCACertificates('default'), made.cert]);
  return { key: made.private, cert: made.cert };
}

/** One certificate for all servers of a test file. */
export const certificate: Promise<TrustedCertificate> = trustedCertificate();

/** Environment in which a process of its own trusts the certificate too; the folder takes the file. */
export async function trustingEnvironment(folder: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'localhost.crt.pem');
  await writeFile(file, (await certificate).cert);
  return { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: file };
}
