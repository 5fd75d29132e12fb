import { staffingCommands } from '../staffing/commands/commands.ts';
import { staffingModules } from '../staffing/service/modules.ts';
import { trustCommands } from '../trust/commands/commands.ts';
import { trustModules } from '../trust/service/modules.ts';
import { witnessModules } from '../witness/modules.ts';
import type { Capabilities } from './services.ts';

/** The modules of the product and their commands. */
export const capabilities: Capabilities = {
  trust: trustModules,
  staffing: staffingModules,
  witness: witnessModules,
  commands: [...trustCommands(trustModules), ...staffingCommands(staffingModules)],
};
