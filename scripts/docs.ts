/** `node scripts/docs.ts build` makes the site in docs/site/dist; `dev` serves it, and watches its Markdown files for changes. */
import { watchFile } from 'node:fs';
import { join } from 'node:path';
import { build, createServer } from 'vitepress';
import { gatherPages, root, writePage } from '../docs/site/gather.ts';
import { writeReference } from '../docs/site/reference.ts';

const site = join(root, 'docs/site');
const [command] = process.argv.slice(2);
if (command !== 'build' && command !== 'dev') {
  console.error('Say what to do: build or dev.');
  process.exit(2);
}

const pages = gatherPages();
await writeReference();
// Otherwise the compiler of the site's configuration would read the tsconfig.json of the current folder.
process.chdir(site);
if (command === 'build') await build(site);
else {
  for (const page of pages)
    watchFile(join(root, page.source), { interval: 500 }, () => writePage(page, pages));
  const server = await createServer(site);
  await server.listen();
  server.printUrls();
}
