/** Whether the host name of a URL, as `URL` writes it, is a name or an address of this computer: there alone plain HTTP is allowed. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.(?:0|[1-9][0-9]{0,2})){3}$/.test(hostname);
