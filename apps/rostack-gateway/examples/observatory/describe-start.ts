import { relative } from 'node:path';
import type { Observatory } from './observatory.ts';

/** What the sample prints once it serves: address, explorer, certificate, and a command that shows the newest observations. */
export function describeStart({ baseUrl, certificatePath, newToken }: Observatory): string {
  const certificate = relative(process.cwd(), certificatePath);
  const token = newToken ?? '<your token>';
  return [
    `rostack gateway: ${baseUrl}`,
    `  explorer: ${baseUrl}/ in a browser; with the token it shows records and live events`,
    `  certificate: ${certificate}`,
    newToken === undefined
      ? '  token: shown at the first start; delete the folder rostack in the data folder to begin anew, with a new one'
      : '  token: in the command below; it is shown this once',
    `  try: curl --cacert '${certificate}' -H 'Authorization: Rostack-Token ${token}' '${baseUrl}/api/observations?sort=-/observed_at&limit=3'`,
  ].join('\n');
}
