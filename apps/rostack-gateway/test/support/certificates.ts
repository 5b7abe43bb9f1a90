import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface WrittenCertificate {
  readonly certificatePem: string;
}

/** Makes a certificate for localhost and writes `tls.crt` and `tls.key` to a folder. */
export async function writeCertificate(folder: string): Promise<WrittenCertificate> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  await writeFile(join(folder, 'tls.key'), made.private);
  await writeFile(join(folder, 'tls.crt'), made.cert);
  return { certificatePem: made.cert };
}
