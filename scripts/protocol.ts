/** Writes docs/protocol.md and the requirements of the conformance kit from the data in docs/protocol. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderProtocol } from './protocol/render-protocol.ts';
import { renderRequirements, requirementsFile } from './protocol/render-requirements.ts';
import { RELEASES, readSections } from './protocol/requirements.ts';
import { root } from './run.ts';

const sections = readSections(root);
writeFileSync(join(root, 'docs/protocol.md'), renderProtocol(sections));
for (const release of RELEASES) {
  writeFileSync(join(root, requirementsFile(release)), renderRequirements(sections, release));
}
