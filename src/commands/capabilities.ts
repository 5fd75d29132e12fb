import { staffingCommands } from '../staffing/commands/commands.ts';
import { trustCommands } from '../trust/commands/commands.ts';
import type { Capabilities } from './services.ts';

/** The modules of the product, loaded when a command needs them, and their commands. */
export const capabilities: Capabilities = {
  async load() {
    const [{ trustModules }, { staffingModules }, { witnessModules }] = await Promise.all([
      import('../trust/service/modules.ts'),
      import('../staffing/service/modules.ts'),
      import('../witness/modules.ts'),
    ]);
    return { trust: trustModules, staffing: staffingModules, witness: witnessModules };
  },
  commands: [
    ...trustCommands(async () => (await import('../trust/service/modules.ts')).trustModules),
    ...staffingCommands(async () => (await import('../staffing/service/modules.ts')).staffingModules),
  ],
};
