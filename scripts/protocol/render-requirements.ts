import { stringify } from 'yaml';
import { CHECKS, WATCHES } from '../../packages/rostack-conformance/src/checks/checks.ts';
import { CLIENT_JUDGEMENTS } from '../../packages/rostack-conformance/src/client/client-checks.ts';
import type { Section } from './requirements.ts';

/** Rules beyond the published schemas that other implementations need not have, although they are not in the section of decisions. */
const OWN_RULES: readonly string[] = [
  'filter.rule.limits',
  'filter.rule.field_pointer',
  'filter.rule.whole_characters',
  'filter.rule.unique_members',
  'filter.rule.exact_numbers',
  'discovery.rule.whole_number_exact',
  'err.http.rule.whole_number_exact',
  'release.bounds.whole-numbers',
];

/** The conformance kit's file of requirements for a release, relative to the root of the repository. */
export const requirementsFile = (release: string): string =>
  `packages/rostack-conformance/requirements/${release}.yaml`;

/** The names of the kit's checks, by the requirements that they judge. */
export function checksByRequirement(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, requirements } of [...CHECKS, ...WATCHES, ...CLIENT_JUDGEMENTS]) {
    for (const id of requirements) names.set(id, [...(names.get(id) ?? []), name]);
  }
  return names;
}

/** The requirements of a release as the kit publishes them, in YAML. */
export function renderRequirements(sections: readonly Section[], release: string): string {
  const checks = checksByRequirement();
  const requirements = sections.flatMap(({ name, title, requirements }, index) =>
    requirements
      .filter(({ releases }) => releases.includes(release))
      .map(({ id, level, party, topic, text, unchecked }) => ({
        id,
        level,
        ...((name === 'decided' || OWN_RULES.includes(id)) && { silent: true }),
        party,
        section: `${index + 1}. ${title}: ${topic}`,
        text,
        checks: checks.get(id) ?? [],
        ...(unchecked !== undefined && { unchecked }),
      })),
  );
  const head = [
    `What release ${release} of rostack_v1 requires, and the checks that judge it.`,
    'Written by `pnpm protocol` from docs/protocol and the checks: change those.',
  ];
  return `${head.map((line) => `# ${line}`).join('\n')}\n${stringify({ release, requirements }, { lineWidth: 118 })}`;
}
