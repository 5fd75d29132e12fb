import type { Config } from '../platform/config/setting.ts';
import type { LoadedModule, Module } from '../platform/module.ts';
import type { WitnessContext } from './context.ts';
import type { WitnessRoute } from './route.ts';

/** The open witness, as routes, tasks and metrics see it. */
export interface WitnessRunning {
  witness: WitnessContext;
  /** The values of all settings; a module reads those that it declares. */
  config: Config;
}

/** A module of the witness. */
export type WitnessModule = Module<WitnessRunning, WitnessRunning, WitnessContext, WitnessRoute>;

/** A module with its server part loaded. */
export type LoadedWitnessModule = LoadedModule<WitnessRunning, WitnessRunning, WitnessContext, WitnessRoute>;
