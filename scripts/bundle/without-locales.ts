import type { Plugin } from 'esbuild';

/** Leaves out Zod's messages in fifty languages, which nothing here shows. */
export const withoutLocales: Plugin = {
  name: 'without-locales',
  setup: (bundle) => {
    bundle.onResolve({ filter: /\/locales\/index\.js$/ }, ({ path }) => ({
      path,
      namespace: 'without-locales',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'without-locales' }, () => ({ contents: '' }));
  },
};
