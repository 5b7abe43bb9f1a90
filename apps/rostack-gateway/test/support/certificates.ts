import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CertificateTimes, makeCertificate } from 'test-support/certificate';

export interface WrittenCertificate {
  readonly certificatePem: string;
}

/** Makes a certificate for localhost and writes `tls.crt` and `tls.key` to a folder. */
export async function writeCertificate(
  folder: string,
  times?: CertificateTimes,
): Promise<WrittenCertificate> {
  const { key, cert } = await makeCertificate(times);
  await writeFile(join(folder, 'tls.key'), key);
  await writeFile(join(folder, 'tls.crt'), cert);
  return { certificatePem: cert };
}
