import { FaultProxy } from '../../../packages/rostack-conformance/src/proxy/fault-proxy.ts';
import type { Link } from '../../../packages/rostack-conformance/src/proxy/link.ts';
import { startProxyTo } from '../../../packages/rostack-conformance/src/proxy/start-proxy-to.ts';

/** The conformance kit's proxy: the one that tests cut, stall and lead elsewhere. */
export { FaultProxy, type Link, startProxyTo };
