import { setDefaultCACertificates } from 'node:tls';

/** Makes the platform's fetch and WebSocket accept this certificate and no other: with all the usual ones each connection costs more. */
export function trustOnly(certificatePem: string): void {
  setDefaultCACertificates([certificatePem]);
}
