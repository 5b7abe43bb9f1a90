import { readFileSync } from 'node:fs';

/** What the kernel keeps for an open TCP connection, by the names of its caches. */
const SLABS =
  /^(TCP|TCPv6|sock_inode_cache|filp|dentry|eventpoll_epi|ep_head|tw_sock_TCP)\s+(\d+) +\d+ +(\d+)/gm;

/** Bytes of the kernel's caches for sockets of the whole machine, by their own counts; NaN where they cannot be read. */
export function socketCacheBytes(): number {
  try {
    let bytes = 0;
    for (const [, , objects, size] of readFileSync('/proc/slabinfo', 'utf8').matchAll(SLABS)) {
      bytes += Number(objects) * Number(size);
    }
    return bytes;
  } catch {
    return Number.NaN;
  }
}
