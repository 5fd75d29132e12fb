import { bundledScript } from './bundle.ts' with { type: 'macro' };

/** The script of the verifier page, which the build makes. */
export const SCRIPT: string = bundledScript();
