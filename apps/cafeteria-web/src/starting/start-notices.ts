import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPERATOR_VARIABLES } from 'menu-client';
import { closestName } from './closest-name.ts';
import { type CafeteriaConfig, SETTINGS } from './config.ts';

/** Names that begin like this are meant for this service. */
const OURS = /^(?:CAFETERIA|WELSTORY|PLANEAT)_/;
const MAX_EDITS = 2;
/** Shells set it by themselves. */
const OF_SHELLS = 'HOST';

const NAMES = [...SETTINGS, ...OPERATOR_VARIABLES];

const PREFIX = 'CAFETERIA_';

/** True if a longer name has the words of a name, and begins with the same: `KAKAO_SECRET`, `KAKAO_SKILL_SECRET`. */
function isWithin(name: string, longer: string): boolean {
  const [first, ...words] = name.split('_');
  const [begun, ...others] = longer.split('_');
  return first === begun && words.length > 0 && words.every((word) => others.includes(word));
}

/** The setting that a name with a word too few or too many stands for: `TRUST_PROXY`, `WELSTORY_USER`, `CAFETERIA_PUBLIC_URL`. */
function meantBy(name: string): string | undefined {
  const prefixed = PREFIX + name;
  if (name !== OF_SHELLS && SETTINGS.includes(prefixed)) return prefixed;
  const bare = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
  if (bare !== undefined && NAMES.includes(bare)) return bare;
  const [meant, another] = NAMES.filter(
    (each) => isWithin(name, each) || (OURS.test(name) && each.startsWith(name)),
  );
  return another === undefined ? meant : undefined;
}

/** A sentence for each variable that nobody reads and that was probably meant for this service; without its value. */
function misspelt(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(environment).flatMap((name) => {
    if (NAMES.includes(name)) return [];
    const written = name.toUpperCase();
    const meant = meantBy(written) ?? closestName(written, NAMES, MAX_EDITS);
    if (meant !== undefined) return [`${name} is not a setting: did you mean ${meant}?`];
    return OURS.test(name) ? [`${name} is not a setting: nothing reads it.`] : [];
  });
}

/** What the settings leave out, a sentence each. */
export function settingNotices(
  environment: Readonly<Record<string, string | undefined>>,
  { upstream }: Pick<CafeteriaConfig, 'upstream'>,
): readonly string[] {
  const left =
    upstream.kind === 'sandbox'
      ? ['These are sample menus: set MENU_UPSTREAM=live for those of the operators.']
      : upstream.environment.WELSTORY_USERNAME === undefined
        ? ['Samsung Welstory is left out: set WELSTORY_USERNAME and WELSTORY_PASSWORD for its restaurants.']
        : [];
  return [...left, ...misspelt(environment)];
}

/** A sentence for a folder in which nothing can be kept; nothing when it is as it should be. */
export async function folderNotices(dataDir: string): Promise<readonly string[]> {
  const folder = join(dataDir, 'photos');
  const probe = join(folder, '.probe');
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    return [];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return [`DATA_DIR ${dataDir} cannot be written (${code}): photos are kept in memory alone.`];
  }
}
