import type { CommandGroup, LoadedCommands } from '../../platform/command-groups.ts';
import type { StaffingModule } from '../service/module.ts';

/**
 * The commands of the staffing service, in the order of the help. Their code is loaded when one is called.
 */
const GROUPS: readonly { name: string; commands(): LoadedCommands<StaffingModule> }[] = [
  { name: 'partners', commands: () => import('./partners.ts') },
  { name: 'jobs', commands: () => import('./jobs.ts') },
  { name: 'suppress', commands: () => import('./suppress.ts') },
  { name: 'nppes', commands: () => import('./nppes.ts') },
  { name: 'imports', commands: () => import('./imports.ts') },
];

/** Returns the commands for a service of some modules, whose settings and tables they use. */
export const staffingCommands = (modules: readonly StaffingModule[]): readonly CommandGroup[] =>
  GROUPS.map(({ name, commands }) => ({ name, load: async () => (await commands()).commands(modules) }));
