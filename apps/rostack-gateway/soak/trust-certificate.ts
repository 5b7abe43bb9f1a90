import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Lets the platform's fetch and WebSocket accept this certificate too. */
export function trustCertificate(certificatePem: string): void {
  setDefaultCACertificates([...getCACertificates('default'), certificatePem]);
}
