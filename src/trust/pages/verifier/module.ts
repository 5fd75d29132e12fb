import type { ModuleEntry } from '../../../platform/module.ts';

/** The page at /verify, which judges documents in a browser. The API documentation does not list it. */
export const verifierModule = {
  name: 'verifier',
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
