/** What to do about a certificate that is not trusted. */
const TRUST = 'to trust its authority, start with NODE_EXTRA_CA_CERTS=FILE (its PEM file)';

/** What the codes of Node and OpenSSL mean, and what to do. */
export const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host is known: check the name, and the DNS of this network',
  EAI_AGAIN: 'the DNS did not answer: check the network connection',
  ECONNREFUSED: 'nothing listens there: check host and port, and that the server runs',
  ECONNRESET: 'the connection was cut: the server, or a proxy in front of it, closed it',
  EPIPE: 'the connection was cut: the server, or a proxy in front of it, closed it',
  ETIMEDOUT: 'no answer: a firewall may drop the packets, or the host is down',
  EHOSTUNREACH: 'there is no way to the host: check the network, VPN and firewall',
  ENETUNREACH: 'there is no way to the network: check the network connection and VPN',
  UND_ERR_CONNECT_TIMEOUT: 'no answer: a firewall may drop the packets, or the host is down',
  UND_ERR_SOCKET: 'the connection was cut: the server, or a proxy in front of it, closed it',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed; ${TRUST}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate is of an authority that is not known here; ${TRUST}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate cannot be verified: the authority is not known, or the server leaves out an intermediate certificate; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT: `its certificate is of an authority that is not known here; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate is of an authority that is not known here; ${TRUST}`,
  CERT_HAS_EXPIRED:
    'its certificate has expired: whoever runs the server has to renew it; check the clock of this machine too',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host name: use the name that the certificate is for',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'it does not speak TLS on that port: use http for a server on this computer, or the port of https',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'it does not speak TLS on that port: use http for a server on this computer, or the port of https',
  EPROTO: 'TLS failed: the port may speak plain HTTP, or TLS versions differ',
};
