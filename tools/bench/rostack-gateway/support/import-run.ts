/** Imports the given number of lines into a new SQLite database, and prints lines per second and the process's peak memory. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { ImportCheckpoint } from '../../../../apps/rostack-gateway/src/import/import-checkpoint.ts';
import { fileInput } from '../../../../apps/rostack-gateway/src/import/import-file.ts';
import { importRecords } from '../../../../apps/rostack-gateway/src/import/import-records.ts';
import { NO_REJECTS } from '../../../../apps/rostack-gateway/src/import/rejects-file.ts';
import { stationRecord, stations } from './import-stations.ts';

const count = Number(process.argv[2]);
await using folder = await temporaryFolder();
const file = join(folder.path, 'stations.ndjson');
for (let from = 0; from < count; from += 1_000) {
  const lines = Array.from(
    { length: 1_000 },
    (_, index) => `${JSON.stringify(stationRecord(from + index))}\n`,
  );
  await writeFile(file, lines.join(''), { flag: 'a' });
}
{
  await using store = await openStore({
    url: `sqlite:${join(folder.path, 'store.db')}`,
    resources: [stations],
  });
  using checkpoint = new ImportCheckpoint(join(folder.path, 'checkpoint.db'), { isResumable: false });
  const startedAtMs = performance.now();
  await importRecords({
    store,
    resource: { ...stations, idPath: ['id'], events: new Map() },
    input: await fileInput(file),
    format: { kind: 'ndjson' },
    checkpoint,
    rejects: NO_REJECTS,
    maxRecordBytes: 1_048_576,
  });
  const perSecond = (count / (performance.now() - startedAtMs)) * 1_000;
  console.log(JSON.stringify({ perSecond, maxRssKib: process.resourceUsage().maxRSS }));
}
