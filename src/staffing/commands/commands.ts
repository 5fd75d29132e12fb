import type { ModuleCommands } from '../../platform/module.ts';
import type { StaffingModule } from '../service/module.ts';

/** The commands of the staffing service, by capability. Their code is loaded when a command is called, and for `--help`. */
export const staffingCommands: readonly ModuleCommands<StaffingModule>[] = [
  { name: 'admin', commands: () => import('./admin.ts') },
  { name: 'nppes', commands: () => import('./nppes.ts') },
  { name: 'imports', commands: () => import('./imports.ts') },
];
