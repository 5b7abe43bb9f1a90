import { generate } from 'selfsigned';

/** One certificate for localhost for all servers of a test file; `cert` is also the authority to trust. */
export const certificate: Promise<{ readonly key: string; readonly cert: string }> = generate(
  [{ name: 'commonName', value: 'localhost' }],
  {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  },
).then((made) => ({ key: made.private, cert: made.cert }));
