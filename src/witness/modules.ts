import { checkpointsModule } from './checkpoints/module.ts';
import { discoveryModule } from './discovery/module.ts';
import { identityModule } from './identity/module.ts';

/** The capabilities of the witness. Nothing else registers anything. */
export const witnessModules = [identityModule, checkpointsModule, discoveryModule] as const;
