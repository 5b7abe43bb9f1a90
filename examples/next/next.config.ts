import type { NextConfig } from 'next';

const config: NextConfig = {
  // Left to Node: the store starts a thread from a file beside it.
  serverExternalPackages: ['rostack-core', 'rostack-server', 'rostack-store'],
};
export default config;
