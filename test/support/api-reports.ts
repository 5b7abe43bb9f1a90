import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import type ts from 'typescript-5';

const root = resolve(import.meta.dirname, '../..');

/** What users can import from a published package, such as `rostack-core/testing`. */
export interface Entry {
  readonly name: string;
  /** Absolute paths of what is built, and of the report that is checked in. */
  readonly declarations: string;
  readonly module: string;
  readonly report: string;
}

export interface ApiReport {
  readonly text: string;
  /** Exports and their members that no docstring describes, such as `Follow.close`. */
  readonly undocumented: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

export const entries: readonly Entry[] = globSync('{packages,apps}/*/package.json', { cwd: root })
  .sort()
  .flatMap((file) => {
    const folder = join(root, dirname(file));
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
    if (manifest.private === true) return [];
    return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
      if (typeof target === 'string' || target['types'] === undefined) return [];
      return {
        name: join(manifest.name, subpath),
        declarations: join(folder, target['types']),
        module: join(folder, target['default'] ?? ''),
        report: join(folder, 'api', `${subpath === '.' ? 'index' : subpath.slice(2)}.api.md`),
      };
    });
  });

/** Members that mean the same everywhere, and index signatures, which their interface describes. */
const CONVENTIONAL = /\.(?:name|code|retryable|\[Symbol\.(?:asyncD|d)ispose\]|\[\w+: \w+\])$/;

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

/** Writes the reports of all entries from the declarations that are built: one program for all of them. */
export function writeApiReports(): ReadonlyMap<Entry, ApiReport> {
  const folder = mkdtempSync(join(tmpdir(), 'api-reports-'));
  try {
    const configs = entries.map((entry) => [entry, configFor(entry, folder)] as const);
    const compilerState = CompilerState.create(configs[0]?.[1] as ExtractorConfig, {
      additionalEntryPoints: entries.map(({ declarations }) => declarations),
    });
    const program = compilerState.program as ts.Program;
    return new Map(
      configs.map(([entry, config]) => [entry, writeReport(entry, config, compilerState, program)]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function configFor({ declarations, report, name }: Entry, folder: string): ExtractorConfig {
  const projectFolder = dirname(dirname(report));
  const silent = { default: { logLevel: ExtractorLogLevel.None } };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder,
      mainEntryPointFilePath: declarations,
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name.replace('/', '.')}.api.md`,
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
        // What is exported may be inferred from what is not; the report of the main entry shows that too.
        includeForgottenExports: report.endsWith('/index.api.md'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { ...silent, 'ae-undocumented': { logLevel: ExtractorLogLevel.Warning } },
        tsdocMessageReporting: silent,
      },
      newlineKind: 'lf',
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectFolder, 'package.json'),
  });
}

function writeReport(
  { name, declarations }: Entry,
  config: ExtractorConfig,
  compilerState: CompilerState,
  program: ts.Program,
): ApiReport {
  const errors: string[] = [];
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === ExtractorLogLevel.Error) errors.push(message.text);
    },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.join('; ')}`);
  const text = readFileSync(config.reportFilePath, 'utf8');
  const undocumented = undocumentedIn(text).filter(
    (path) => !CONVENTIONAL.test(path) && !inheritsDocumentation(path, declarations, program),
  );
  return { text, undocumented };
}

/** The exports and members that a report marks as `(undocumented)`. */
function undocumentedIn(report: string): string[] {
  const lines = report.split('\n');
  let parent: string | undefined;
  return lines.flatMap((line, index) => {
    // Declarations that are not exported are indented as little, and are nobody's to describe.
    if (/^\w/.test(line)) parent = EXPORT.exec(line)?.[1];
    if (!/^ *\/\/ .*\(undocumented\)$/.test(line)) return [];
    const next = lines[index + 1] ?? '';
    if (!line.startsWith(' ')) return EXPORT.exec(next)?.[1] ?? [];
    return parent === undefined ? [] : `${parent}.${MEMBER.exec(next)?.[1] ?? next.trim()}`;
  });
}

const EXPORT = /^export (?:abstract )?(?:class|const|function|interface|type) (\w+)/;
const MEMBER = /^ *(?:static |abstract |readonly |get |set )*(\[[^\]]+\]|'[^']+'|[\w$]+)/;

/** Whether an interface or class above describes the member: editors show that. */
function inheritsDocumentation(path: string, declarations: string, program: ts.Program): boolean {
  const checker = program.getTypeChecker();
  const [name, member] = path.split('.');
  const file = program.getSourceFile(declarations);
  const entry = file && checker.getSymbolAtLocation(file);
  const found = entry && checker.getExportsOfModule(entry).find((symbol) => symbol.name === name);
  if (found === undefined || member === undefined) return false;
  const inner = checker.getDeclaredTypeOfSymbol(found).getProperty(member);
  return inner !== undefined && inner.getDocumentationComment(checker).length > 0;
}
