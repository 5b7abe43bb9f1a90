/** Writes the JSON Schema of the configuration, config.json, into the folder that is given. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedConfigSchema } from '../src/config/model/config-schema.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node --conditions=workspace-source scripts/write-schema.ts <folder>\n');
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'config.json'), `${JSON.stringify(publishedConfigSchema(), null, 2)}\n`);
