import {
  type CommandGroup,
  type GroupOf,
  groupsOf,
  type LoadModules,
} from '../../platform/command-groups.ts';
import type { TrustModule } from '../service/module.ts';

/** The commands of the trust service, in the order of the help. Their code is loaded when one is called. */
const GROUPS: readonly GroupOf<TrustModule>[] = [
  { name: 'receipts', words: ['receipts'], commands: () => import('./receipts.ts') },
  { name: 'gate', words: ['gate'], commands: () => import('./gate.ts') },
  { name: 'agents', words: ['agents'], commands: () => import('./agents.ts') },
  { name: 'evidence', words: ['evidence'], commands: () => import('./evidence.ts') },
  { name: 'credentials', words: ['credentials'], commands: () => import('./credentials.ts') },
  { name: 'webhooks', words: ['webhooks'], commands: () => import('./webhooks.ts') },
  { name: 'operator', words: ['operator'], commands: () => import('./operator.ts') },
  { name: 'log', words: ['log', 'recover'], commands: () => import('./log.ts') },
  { name: 'credits', words: ['credits'], commands: () => import('./credits.ts') },
  { name: 'engagements', words: ['engagements'], commands: () => import('./engagements.ts') },
  { name: 'billing', words: ['billing'], commands: () => import('./billing.ts') },
  { name: 'settlements', words: ['settlements'], commands: () => import('./settlements.ts') },
  { name: 'payouts', words: ['payouts'], commands: () => import('./payouts.ts') },
  { name: 'agora', words: ['agora'], commands: () => import('./agora.ts') },
  { name: 'operators', words: ['operators'], commands: () => import('./operators.ts') },
  { name: 'expire', words: ['operators'], commands: () => import('./expire.ts') },
  { name: 'linked', words: ['operators'], commands: () => import('./linked.ts') },
  { name: 'wallets', words: ['wallets'], commands: () => import('./wallets.ts') },
  { name: 'ledger', words: ['ledger'], commands: () => import('./ledger.ts') },
  { name: 'keys', words: ['keys'], commands: () => import('./keys.ts') },
  { name: 'restore', words: ['restore'], commands: () => import('./restore.ts') },
  { name: 'clock', words: ['clock'], commands: () => import('./clock.ts') },
];

/** Returns the commands for a service of some modules, whose settings and tables they use. */
export const trustCommands = (modules: LoadModules<TrustModule>): readonly CommandGroup[] =>
  groupsOf(GROUPS, modules);
