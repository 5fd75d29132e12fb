import type { ServerPart } from '../../../platform/module.ts';
import { explorerRoutes } from './routes.ts';

export const server = { routes: explorerRoutes } satisfies ServerPart<never, never, never>;
