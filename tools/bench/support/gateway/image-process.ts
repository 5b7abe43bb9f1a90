import { readFile } from 'node:fs/promises';

const DOCKERFILE = await readFile(
  new URL('../../../../apps/rostack-gateway/docker/Dockerfile', import.meta.url),
  'utf8',
);

/** How the image starts a gateway, as far as memory is concerned: environment variables and Node options. */
export const IMAGE_PROCESS = {
  environment: Object.fromEntries(
    [...DOCKERFILE.matchAll(/\b(NODE_OPTIONS|MALLOC_[A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  ),
  nodeOptions: entrypoint().filter((argument) => argument.startsWith('--')),
};
if (IMAGE_PROCESS.environment['NODE_OPTIONS'] === undefined || IMAGE_PROCESS.nodeOptions.length === 0) {
  throw new Error('the Dockerfile sets nothing about memory');
}

function entrypoint(): string[] {
  const [, json = '[]'] = /^ENTRYPOINT (.+)$/m.exec(DOCKERFILE) ?? [];
  return JSON.parse(json);
}
