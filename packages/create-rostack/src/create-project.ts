import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isTemplate, TEMPLATES, type Template } from './templates.ts';

const FOLDER = new URL('../templates/', import.meta.url);

/** Written by the build: the versions that the templates were tested with. */
const VERSIONS = new URL('../dist/versions.json', import.meta.url);

/** Files whose names begin with a dot: npm would leave them out of a package, or read them itself. */
const HIDDEN: ReadonlySet<string> = new Set(['gitignore', 'env']);

const NEXT_STEPS: Readonly<Record<Template, readonly string[]>> = {
  'hono-sqlite': ['npm start'],
  'gateway-postgres': [
    'export DATABASE_URL=postgres://localhost/postgres',
    'psql "$DATABASE_URL" --file table.sql',
    'npm start',
  ],
};

/** What to make, and where. */
export interface ProjectOptions {
  /** Made if it does not exist; otherwise it holds nothing but `.git`. */
  readonly folder: string;
  /** The kind of project. */
  readonly template: Template;
}

/** What was made. */
export interface CreatedProject {
  /** Absolute path. */
  readonly folder: string;
  /** Paths in the folder, in order. */
  readonly files: readonly string[];
  /** Commands after `npm install`, for a POSIX shell. */
  readonly nextSteps: readonly string[];
}

/** A project would be written over what somebody has. */
export class FolderNotEmptyError extends Error {
  override name = 'FolderNotEmptyError';
  readonly code = 'folder_not_empty';
  readonly retryable = false;

  constructor(folder: string) {
    super(`${folder} is not empty; name another folder`);
  }
}

/** A folder or a template that cannot be used. */
export class ProjectOptionsError extends Error {
  override name = 'ProjectOptionsError';
  readonly code = 'invalid_options';
  readonly retryable = false;
}

/**
 * Writes a project; its name is that of the folder.
 * @throws ProjectOptionsError `invalid_options`; FolderNotEmptyError `folder_not_empty`
 */
export async function createProject(options: ProjectOptions): Promise<CreatedProject> {
  const { folder, template } = Object(options) as Partial<ProjectOptions>;
  if (typeof folder !== 'string' || folder === '') throw new ProjectOptionsError('pass the name of a folder');
  if (template === undefined || !isTemplate(template))
    throw new ProjectOptionsError(
      `there is no template ${String(template)}; choose ${Object.keys(TEMPLATES).join(' or ')}`,
    );
  const target = resolve(folder);
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).some((name) => name !== '.git')) throw new FolderNotEmptyError(target);

  const source = new URL(`${template}/`, FOLDER);
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const name = packageName(target);
  const words: Readonly<Record<string, string>> = {
    '{{name}}': name,
    '{{secret}}': randomBytes(32).toString('base64url'),
  };
  const files: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const inside = from.slice(join(resolve(source.pathname), '/').length);
    const to = HIDDEN.has(inside) ? `.${inside}` : inside;
    const text = (await readFile(from, 'utf8')).replaceAll(/\{\{\w+\}\}/g, (word) => words[word] ?? word);
    await mkdir(dirname(join(target, to)), { recursive: true });
    await writeFile(join(target, to), inside === 'package.json' ? await withVersions(text) : text);
    files.push(to);
  }
  return { folder: target, files: files.toSorted(), nextSteps: NEXT_STEPS[template] };
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

async function withVersions(text: string): Promise<string> {
  const manifest = JSON.parse(text) as Manifest;
  const versions = JSON.parse(await readFile(VERSIONS, 'utf8')) as Readonly<Record<string, string>>;
  const dependencies = Object.fromEntries(
    Object.keys(manifest.dependencies).map((name) => [name, versions[name] ?? 'latest']),
  );
  return `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`;
}

/** The folder's name as npm allows it. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'my-data' : name;
}
