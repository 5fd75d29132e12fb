import {
  type CommandGroup,
  type GroupOf,
  groupsOf,
  type LoadModules,
} from '../../platform/command-groups.ts';
import type { StaffingModule } from '../service/module.ts';

/**
 * The commands of the staffing service, in the order of the help. Their code is loaded when one is called.
 */
const GROUPS: readonly GroupOf<StaffingModule>[] = [
  { name: 'clinicians', words: ['clinicians'], commands: () => import('./clinicians.ts') },
  { name: 'requisitions', words: ['requisitions'], commands: () => import('./requisitions.ts') },
  { name: 'me', words: ['me'], commands: () => import('./me.ts') },
  { name: 'partners', words: ['partners'], commands: () => import('./partners.ts') },
  { name: 'jobs', words: ['jobs'], commands: () => import('./jobs.ts') },
  { name: 'suppress', words: ['suppress'], commands: () => import('./suppress.ts') },
  { name: 'nppes', words: ['generate'], commands: () => import('./nppes.ts') },
  { name: 'imports', words: ['import', 'registry'], commands: () => import('./imports.ts') },
];

/** Returns the commands for a service of some modules, whose settings and tables they use. */
export const staffingCommands = (modules: LoadModules<StaffingModule>): readonly CommandGroup[] =>
  groupsOf(GROUPS, modules);
