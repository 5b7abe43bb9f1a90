import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  Application,
  Comment,
  Converter,
  DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { PAGES_FOLDER, repositoryUrl, root } from './gather.ts';

/** An entry with more exports than this gets a page for each folder of its sources. */
const MAX_EXPORTS_OF_A_PAGE = 60;

/** Modules by name, with the names of what each exports. */
type Modules = ReadonlyMap<string, readonly string[]>;

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** The manifests, by name, of the packages of which something can be imported; rostack packages first. */
function readManifests(): ReadonlyMap<string, Manifest> {
  const files = [
    ...globSync('packages/rostack-*/package.json', { cwd: root }).sort(),
    ...globSync('packages/create-rostack/package.json', { cwd: root }),
    ...globSync('packages/menu-*/package.json', { cwd: root }).sort(),
  ];
  const manifests = files.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest);
  const byName = manifests.map((manifest) => [manifest.name, manifest] as const);
  return new Map(byName.filter((named) => entriesOf(new Map([named])).size > 0));
}

/** What users import, such as `rostack-client/react`, by its source file. */
function entriesOf(packages: ReadonlyMap<string, Manifest>): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const { name, exports = {} } of packages.values()) {
    for (const [subpath, conditions] of Object.entries(exports)) {
      const source = typeof conditions === 'string' ? undefined : conditions['workspace-source'];
      if (source !== undefined) entries.set(join('packages', name, source), join(name, subpath));
    }
  }
  return entries;
}

/**
 * Names modules as users import them, and splits large ones into a module for each folder of sources. Returns the names
 * of all modules, with what each exports.
 */
function arrange(project: ProjectReflection, entries: ReadonlyMap<string, string>): Modules {
  const modules = [...(project.children ?? [])];
  for (const entry of modules) {
    const source = [...entries.keys()].find((file) => file.replace(/(\/index)?\.ts$/, '') === entry.name);
    if (source === undefined) throw new Error(`no entry of a package is made from ${entry.name}`);
    entry.name = entries.get(source) ?? '';
    entry.comment = importedFrom(entry.name);
    const exports = [...(entry.children ?? [])];
    for (const each of exports) for (const member of each.children ?? []) forgetSources(member);
    if (exports.length <= MAX_EXPORTS_OF_A_PAGE) continue;
    const folders = Map.groupBy(exports, (each) => folderOf(each, dirname(join(root, source))));
    for (const [folder, members] of folders) {
      if (folder === '') continue;
      const short = `${entry.name}/${folder}`;
      // An entry with that name has its own page, with the part of the folder that it exports.
      const name = [...entries.values()].includes(short) ? `${short}-all` : short;
      const part = new DeclarationReflection(name, ReflectionKind.Module, project);
      part.comment = importedFrom(entry.name);
      project.registerReflection(part, undefined, undefined);
      project.addChild(part);
      for (const member of members) {
        entry.removeChild(member);
        member.parent = part;
        part.addChild(member);
      }
    }
  }
  const named = (project.children ?? []).map(
    ({ name, children = [] }) => [name, children.map((each) => each.name).sort()] as const,
  );
  return new Map(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const importedFrom = (entry: string): Comment =>
  new Comment([{ kind: 'text', text: `Import from \`${entry}\`.` }]);

/** Drops a member's source links: its type already has one. */
function forgetSources(member: DeclarationReflection): void {
  const { signatures = [], getSignature, setSignature } = member;
  for (const each of [member, ...signatures, getSignature, setSignature]) delete each?.sources;
}

/** The folder, directly below the entry's, that a declaration is in; empty for a file next to the entry. */
function folderOf({ sources }: DeclarationReflection, base: string): string {
  const [first = '', ...rest] = relative(base, sources?.[0]?.fullFileName ?? base).split('/');
  return rest.length === 0 ? '' : first;
}

/** Adds a list of a package's other pages to its page. */
function writeLists(
  folder: string,
  modules: Modules,
  packages: ReadonlyMap<string, Manifest>,
  titleOf: (module: string) => string,
): void {
  let index = '# Reference\n\nMade from the docstrings of the sources. What is not here is internal.\n\n';
  for (const [name, { description }] of packages) {
    index += `- [${name}](${name}.md): ${description}\n`;
    const parts = [...modules].filter(([module]) => module.startsWith(`${name}/`));
    if (parts.length === 0) continue;
    const lines = parts.map(
      ([module, exports]) =>
        `- [${titleOf(module)}](${module}.md): ${exports.map((each) => `\`${each}\``).join(', ')}\n`,
    );
    appendFileSync(join(folder, `${name}.md`), `\n## Other pages of ${name}\n\n${lines.join('')}`);
  }
  writeFileSync(join(folder, 'index.md'), index);
}

/** Writes the reference of all packages, made from the docstrings of their sources, to `reference` among the pages. */
export async function writeReference(): Promise<void> {
  const packages = readManifests();
  const entries = entriesOf(packages);
  const folder = join(PAGES_FOLDER, 'reference');
  const imported = new Set(entries.values());
  // The page of a folder of sources has no name that can be imported.
  const titleOf = (module: string): string => (imported.has(module) ? module : module.replace('/', ': '));
  const markdown: Partial<PluginOptions> = {
    entryFileName: 'index',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    sanitizeComments: true,
    // The plugin does not always predict the right anchors for headings.
    useHTMLAnchors: true,
    anchorPrefix: 'api-',
    tableColumnSettings: { hideSources: true },
    useCodeBlocks: true,

    pageTitleTemplates: { index: 'Reference', module: ({ rawName }) => titleOf(rawName) },
  };
  const app = await Application.bootstrapWithPlugins({
    name: 'Reference',
    entryPoints: [...entries.keys()].map((file) => join(root, file)),
    tsconfig: join(import.meta.dirname, 'tsconfig.reference.json'),
    plugin: ['typedoc-plugin-markdown'],
    // The packages' builds and type checks find type errors.
    skipErrorChecking: true,
    readme: 'none',
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    disableGit: true,
    basePath: root,
    sourceLinkTemplate: `${repositoryUrl}/blob/main/packages/{path}#L{line}`,
    logLevel: 'Error',
    router: 'module',
    outputs: [{ name: 'markdown', path: folder }],
    groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases'],
    ...markdown,
  });
  let modules: Modules = new Map();
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    modules = arrange(project, entries);
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('the sources of the packages could not be read');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('the reference has mistakes');
  writeLists(folder, modules, packages, titleOf);
}
