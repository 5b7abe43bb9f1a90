import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Certificate, makeCertificate } from 'test-support/certificate';

/** A certificate for localhost that this process trusts in `fetch` and `WebSocket`, as a user's process would trust a real one. */
export async function trustedCertificate(): Promise<Certificate> {
  const made = await makeCertificate();
  setDefaultCACertificates([...getCACertificates('default'), made.cert]);
  return made;
}

/** One certificate for all servers of a test file. */
export const certificate: Promise<Certificate> = trustedCertificate();

/** Environment in which a process of its own trusts the certificate too; the folder takes the file. */
export async function trustingEnvironment(folder: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'localhost.crt.pem');
  await writeFile(file, (await certificate).cert);
  return { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: file };
}
