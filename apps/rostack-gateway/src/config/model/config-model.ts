import { join } from 'node:path';
import type { z } from 'zod';
import { configSections } from './config-sections.ts';
import { sectionFaults } from './section-rules.ts';

/** Whether clients are on this computer, so that the URL is known. */
const isLocal = (mode: string): boolean => mode === 'development' || mode === 'loopback';

/**
 * The configuration file. It is parsed by a `ReferenceReader`, which reads the secrets and files that it refers to. Its output has
 * absolute paths, times in milliseconds and sizes in bytes.
 */
export const configModel = configSections
  .refine(({ public_url, listeners }) => public_url !== undefined || isLocal(listeners.data.tls.mode), {
    path: ['public_url'],
    message: 'is missing; write the https URL that clients reach, such as https://data.example',
  })
  .superRefine((parsed, context) => {
    // A section with an issue may not be transformed yet.
    if (context.issues.length > 0) return;
    for (const fault of sectionFaults(parsed)) context.addIssue({ code: 'custom', ...fault });
  })
  .transform(
    ({
      public_url: publicUrl,
      documentation_url: documentationUrl,
      data_dir: dataDir,
      alternate_versions: alternateVersions,
      ...others
    }) => ({
      ...others,
      publicUrl: publicUrl?.replace(/\/$/, ''),
      documentationUrl,
      dataDir,
      alternateVersions,
      /** The secret behind principal ids and cursors; if undefined, a file in `dataDir` is used, and created if it is missing. */
      keys: others.keys,
      store: {
        ...others.store,
        url: others.store.url ?? `sqlite:${join(dataDir, 'store.db')}`,
      },
    }),
  );

/** What `configModel` accepts: the members of the file. */
export type ConfigInput = z.input<typeof configModel>;
