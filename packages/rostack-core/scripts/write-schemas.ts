import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RELEASES, releaseSchemas } from '../src/index.ts';

/** Writes the JSON Schemas of every release into the given folder: one folder per release. */

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/write-schemas.ts <folder>\n');
  process.exit(1);
}

for (const release of RELEASES) {
  for (const [file, schema] of releaseSchemas(release)) {
    const path = join(folder, 'rostack_v1', 'releases', release, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
  }
}
