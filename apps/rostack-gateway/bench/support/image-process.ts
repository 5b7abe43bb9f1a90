import { readFile } from 'node:fs/promises';
import type { SpawnSurroundings } from '../../test/support/spawn-gateway.ts';

/** How the image starts a gateway, as far as it is about memory. */
export async function imageProcess(): Promise<
  Required<Pick<SpawnSurroundings, 'environment' | 'nodeOptions'>>
> {
  const dockerfile = await readFile(new URL('../../docker/Dockerfile', import.meta.url), 'utf8');
  const variables = [...dockerfile.matchAll(/\b(NODE_OPTIONS|MALLOC_[A-Z_]+)=(\S+)/g)];
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];
  const nodeOptions = (JSON.parse(entrypoint) as string[]).filter((argument) => argument.startsWith('--'));
  if (variables.length === 0 || nodeOptions.length === 0) {
    throw new Error('the Dockerfile sets nothing about memory');
  }
  return {
    environment: Object.fromEntries(variables.map(([, name = '', value = '']) => [name, value])),
    nodeOptions,
  };
}
