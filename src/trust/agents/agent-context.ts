import type { Store } from '../../platform/store/store.ts';
import type { AuthorizationContext } from './agent-auth.ts';
import type { AgentCache } from './agent-cache.ts';
import type { PassportContext } from './passport.ts';

export type AgentContext = PassportContext & AuthorizationContext & { store: Store; agentCache: AgentCache };
