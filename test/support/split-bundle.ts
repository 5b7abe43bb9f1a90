import { basename } from 'node:path';
import { build, type OutputFile } from 'esbuild';

/** A bundle in several files: the entry with what it imports, loaded first, and the files of its `import()`. */
export interface SplitBundle {
  readonly entry: string;
  readonly first: readonly OutputFile[];
  readonly later: readonly OutputFile[];
}

/** Bundles a module's source for browsers, minified, as an application with code splitting does. */
export async function splitBundle(source: string, directory: string): Promise<SplitBundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: directory, loader: 'js', sourcefile: 'entry.js' },
    outdir: 'split',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workspace-source'],
    logLevel: 'silent',
  });
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const entry = 'stdin.js';
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { kind, path } of outputs.get(name)?.imports ?? [])
      if (kind === 'import-statement') load(basename(path));
  };
  load(entry);
  const isFirst = ({ path }: OutputFile) => loaded.has(basename(path));
  return {
    entry,
    first: outputFiles.filter(isFirst),
    later: outputFiles.filter((file) => !isFirst(file)),
  };
}
