import { identityModule } from './identity/module.ts';

/** The capabilities of the witness. Nothing else registers anything. */
export const witnessModules = [identityModule] as const;
