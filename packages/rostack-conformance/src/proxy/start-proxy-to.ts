import { FaultProxy } from './fault-proxy.ts';

/** Starts a proxy to the host and port of a URL. */
export const startProxyTo = ({ protocol, hostname, port }: URL): Promise<FaultProxy> => {
  const isSecure = protocol === 'wss:' || protocol === 'https:';
  return FaultProxy.start({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 443 : 80),
  });
};
