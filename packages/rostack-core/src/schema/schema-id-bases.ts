import { type Release, SPEC_BASE_URL } from '../wire/release/release.ts';

/** Base of the `$id` of each release's schema files. */
export const SCHEMA_ID_BASES: Readonly<Record<Release, string>> = {
  '2026-08-12': 'https://spec.rostack.example/rostack_v1/',
  '2026-08-13': `${SPEC_BASE_URL}/apis/rostack_v1/releases/2026-08-13/schemas/`,
};
