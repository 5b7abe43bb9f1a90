/** Writes docs/protocol.md from the requirements in docs/protocol. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderProtocol } from './protocol/render-protocol.ts';
import { readSections } from './protocol/requirements.ts';
import { root } from './run.ts';

writeFileSync(join(root, 'docs/protocol.md'), renderProtocol(readSections(root)));
