/** A key and a certificate as PEM texts. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Names of this computer: the client is sent to the first, and must not send a credential to the second. */
export const HOST = 'localhost';
export const OTHER_HOST = '127.0.0.1';

/**
 * A certificate for this computer. Trusting it means trusting the scripted servers of one run and nothing else.
 * @param commonName distinguishes it from other trusted certificates
 */
export async function loopbackCertificate(commonName = HOST): Promise<Certificate> {
  // Two hundred modules, which only checks of a client need.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: HOST },
          { type: 7, ip: OTHER_HOST },
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}
