import { plugin } from 'bun';
import typescript from 'typescript-5';

/**
 * Preloaded by the generators of clients: they use the API of TypeScript 5, which TypeScript 7, the compiler
 * of this project, does not have.
 */
await plugin({
  name: 'typescript-api',
  setup(build) {
    build.module('typescript', () => ({
      exports: { ...typescript, default: typescript },
      loader: 'object',
    }));
  },
});
