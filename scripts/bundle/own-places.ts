import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const SOURCE = /\/(?:packages|apps)\/([^/]+)\/src\/(.+)\.tsx?$/;

/**
 * What modules find by `import.meta.url` is where it was. Those of the package itself are taken to be where the compiler has written them,
 * those of other packages in a folder of the package's name next to the bundle. @param root of the package @param output folder of the bundle
 */
export function ownPlaces(root: string, output: string): Plugin {
  return {
    name: 'own-places',
    setup: (bundle) => {
      bundle.onLoad({ filter: SOURCE }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const [, name = '', module = ''] = SOURCE.exec(path) ?? [];
        const isOwn = path.startsWith(join(root, '/'));
        const place = isOwn ? relative(output, join(root, 'dist', module)) : `${name}/dist/${module}`;
        const url = `new URL(${JSON.stringify(`./${place}.js`)}, import.meta.url).href`;
        return {
          contents: text.replaceAll('import.meta.url', url),
          loader: path.endsWith('x') ? 'tsx' : 'ts',
        };
      });
    },
  };
}
