import type { ServerPart } from '../../../platform/module.ts';
import { verifierRoutes } from './routes.ts';

export const server = { routes: verifierRoutes } satisfies ServerPart<never, never, never>;
