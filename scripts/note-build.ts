/** Notes in a package's `dist` from which sources it was built; run in the package's folder at the end of its build. */
import { writeFileSync } from 'node:fs';
import { cwd } from 'node:process';
import { SOURCE_HASH_FILE, sourceHash } from 'test-support/source-hash';

writeFileSync(SOURCE_HASH_FILE, sourceHash(cwd()));
