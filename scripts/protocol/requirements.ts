import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test that covers a requirement. */
export interface Citation {
  /** Path from the root of the repository. */
  readonly file: string;
  /** The title as written in the file, with placeholders left in place; preceded by `describe > ` if the title alone is not unique. */
  readonly test: string;
  /** For a test with a table: text that identifies the row. */
  readonly case?: string;
  /** The file with the table, if it is a different one. */
  readonly table?: string;
}

export interface Requirement {
  /** Dotted, below the name of its file. */
  readonly id: string;
  readonly level: (typeof LEVELS)[number];
  /** Who has to keep it. */
  readonly party: (typeof PARTIES)[number];
  readonly releases: readonly string[];
  /** What it is about, within its section. */
  readonly topic: string;
  readonly text: string;
  readonly tests: readonly Citation[];
  /** Why no test can cover it; only then may `tests` be empty. */
  readonly untested?: string;
  /** Why no check of the conformance kit can judge it from outside; only then may it have no check. */
  readonly unchecked?: string;
}

export interface Section {
  /** Name of the file, and prefix of every id. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** What it looks like on the wire, line by line; `...` is where something is left out. */
  readonly example?: readonly string[];
  readonly requirements: readonly Requirement[];
}

export const LEVELS = ['must', 'should', 'may'] as const;
export const PARTIES = ['server', 'client', 'both'] as const;
export const RELEASES = ['2026-08-12', '2026-08-13'] as const;

/** The sections of the protocol in their order: comments in the sources refer to them by number. */
export const SECTION_NAMES = [
  'release',
  'discovery',
  'permission',
  'auth',
  'json',
  'filter',
  'ws',
  'client',
  'version',
  'decided',
  'err',
] as const;

/** Folder of the data, from the root of the repository. */
export const FOLDER = 'docs/protocol';

/** Reads every section; `test/protocol.test.ts` checks their content. */
export const readSections = (root: string): Section[] =>
  SECTION_NAMES.map((name) => {
    const text = readFileSync(join(root, FOLDER, `${name}.json`), 'utf8');
    return { name, ...(JSON.parse(text) as Omit<Section, 'name'>) };
  });
