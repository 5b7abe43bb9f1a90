/** Writes docs/protocol.md, the requirements of the conformance kit, and the matrix of implementations from their data. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MATRIX, renderMatrix } from './conformance/render-matrix.ts';
import { renderProtocol } from './protocol/render-protocol.ts';
import { renderRequirements, requirementsFile } from './protocol/render-requirements.ts';
import { RELEASES, readSections } from './protocol/requirements.ts';
import { root } from './run.ts';

const sections = readSections(root);
writeFileSync(join(root, 'docs/protocol.md'), renderProtocol(sections));
writeFileSync(join(root, MATRIX), renderMatrix(root));
for (const release of RELEASES) {
  writeFileSync(join(root, requirementsFile(release)), renderRequirements(sections, release));
}
