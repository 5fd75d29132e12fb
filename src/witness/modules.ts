import { checkpointsModule } from './checkpoints/module.ts';
import { discoveryModule } from './discovery/module.ts';
import { identityModule } from './identity/module.ts';
import type { WitnessModule } from './module.ts';

/** The modules of the witness. Routes, settings, metrics and tasks are registered nowhere else. */
export const witnessModules: readonly WitnessModule[] = [identityModule, checkpointsModule, discoveryModule];
