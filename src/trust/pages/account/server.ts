import type { ServerPart } from '../../../platform/module.ts';
import { accountRoutes } from './routes.ts';

export const server = { routes: accountRoutes } satisfies ServerPart<never, never, never>;
