import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'express' ? 'express-4' : specifier, context),
});
