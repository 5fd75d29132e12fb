import type { Config } from '../platform/config/setting.ts';
import type { LoadedCommands, LoadedModule, Module } from '../platform/module.ts';
import type { WitnessContext } from './context.ts';
import type { WitnessRoute } from './route.ts';

/** The open witness, as routes, tasks and metrics see it. */
export interface WitnessRunning {
  witness: WitnessContext;
  /** The values of all settings; a module reads those that it declares. */
  config: Config;
}

/** A module of the witness. */
export interface WitnessModule extends Module<WitnessRunning, WitnessRunning, WitnessContext, WitnessRoute> {
  commands?(): LoadedCommands<WitnessModule>;
}

/** A module with its server part loaded. */
export type LoadedWitnessModule = LoadedModule<WitnessRunning, WitnessRunning, WitnessContext, WitnessRoute>;
