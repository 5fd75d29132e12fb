import type { CommandGroup, LoadedCommands } from '../../platform/command-groups.ts';
import type { TrustModule } from '../service/module.ts';

/** The commands of the trust service, in the order of the help. Their code is loaded when one is called. */
const GROUPS: readonly { name: string; commands(): LoadedCommands<TrustModule> }[] = [
  { name: 'receipts', commands: () => import('./receipts.ts') },
  { name: 'log', commands: () => import('./log.ts') },
  { name: 'credits', commands: () => import('./credits.ts') },
  { name: 'engagements', commands: () => import('./engagements.ts') },
  { name: 'billing', commands: () => import('./billing.ts') },
  { name: 'payouts', commands: () => import('./payouts.ts') },
  { name: 'agora', commands: () => import('./agora.ts') },
  { name: 'operators', commands: () => import('./operators.ts') },
  { name: 'linked', commands: () => import('./linked.ts') },
  { name: 'wallets', commands: () => import('./wallets.ts') },
  { name: 'ledger', commands: () => import('./ledger.ts') },
  { name: 'keys', commands: () => import('./keys.ts') },
  { name: 'clock', commands: () => import('./clock.ts') },
];

/** Returns the commands for a service of some modules, whose settings and tables they use. */
export const trustCommands = (modules: readonly TrustModule[]): readonly CommandGroup[] =>
  GROUPS.map(({ name, commands }) => ({ name, load: async () => (await commands()).commands(modules) }));
