import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { recordSourceChecks } from 'rostack-core/testing';
import { JsonLinesSource } from '../src/json-lines-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'own-source-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const checks = recordSourceChecks<JsonLinesSource>({
  open: () => {
    files += 1;
    return new JsonLinesSource(join(folder, `${files}.jsonl`));
  },
  source: (source) => source,
  put: (source, note, id) => source.write(id, note),
  delete: (source, id) => source.write(String(id)),
});

describe('notes in a file', () => {
  for (const check of checks) test(check.name, check.run);
});
