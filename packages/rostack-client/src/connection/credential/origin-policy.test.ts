import { describe, expect, test } from 'vitest';
import { OriginPolicy } from './origin-policy.ts';

const policy = (base = 'https://data.example', options = {}) => new OriginPolicy(new URL(base), options);
const UNTRUSTED = expect.objectContaining({ code: 'untrusted_url', retryable: false });

describe('an origin policy', () => {
  test.for([
    ['the origin connected to', 'https://data.example/api/a', {}],
    ['an origin that is trusted', 'https://b.example:8443/a', { trustedOrigins: ['https://b.example:8443'] }],
  ] as const)('lets credentials go to %s', ([, url, options]) => {
    expect(policy('https://data.example', options).httpUrl(url).href).toBe(url);
  });

  test.for([
    ['another host', 'https://evil.example/'],
    ['a subdomain', 'https://api.data.example/'],
    ['another port', 'https://data.example:8443/'],
    ['http', 'http://data.example/'],
    ['a host that begins the same', 'https://data.example.evil.example/'],
    ['user information', 'https://data.example@evil.example/'],
    ['user information before the right host', 'https://a:b@data.example/'],
    ['no URL', 'data.example'],
  ])('does not let them go to %s', ([, url = '']) => {
    expect(() => policy().httpUrl(url)).toThrow(UNTRUSTED);
  });

  test.for([
    ['the same host', 'wss://data.example/gateway'],
    ['the same host, another port', 'wss://data.example:9443/'],
    ['a trusted host', 'wss://b.example/gateway'],
  ])('connects to a gateway on %s', ([, url = '']) => {
    const trusting = policy('https://data.example', { trustedOrigins: ['https://b.example'] });
    expect(trusting.gatewayUrl(url).href).toBe(url);
  });

  test.for([
    ['another host', 'wss://evil.example/'],
    ['ws', 'ws://data.example/'],
    ['https', 'https://data.example/'],
  ])('does not connect to a gateway by %s', ([, url = '']) => {
    expect(() => policy().gatewayUrl(url)).toThrow(UNTRUSTED);
  });

  test.for(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'asks %s by http and ws when it is told to',
    (base) => {
      const insecure = policy(base, { allowInsecureLoopback: true });
      const secure = base.replace('http', 'https');
      expect(insecure.httpUrl(`${secure}/api`).href).toBe(`${base}/api`);
      expect(insecure.gatewayUrl(`${secure.replace('https', 'wss')}/g`).href).toBe(
        `${base.replace('http', 'ws')}/g`,
      );
      expect(() => insecure.gatewayUrl('wss://data.example/')).toThrow(UNTRUSTED);
      expect(() => policy(base)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    },
  );

  test.for([
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://0.0.0.0',
    'http://10.0.0.1',
  ])('takes %s for no loopback', (base) => {
    expect(() => policy(base, { allowInsecureLoopback: true })).toThrow('not https');
  });
});
