import type { ServerPart } from '../../platform/module.ts';
import { pageRoutes } from './routes.ts';
import type { PageServing } from './site.ts';

export const server = {
  routes: (serving: PageServing) => [pageRoutes(serving)],
} satisfies ServerPart<never, never, never>;
