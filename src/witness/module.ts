import type { Config } from '../platform/config/setting.ts';
import type { LoadedCommands, LoadedModule, Module, ServerPart } from '../platform/module.ts';
import type { WitnessContext } from './context.ts';
import type { WitnessRoute } from './route.ts';

/** The open witness, as routes, tasks and metrics see it. */
export interface WitnessRunning {
  witness: WitnessContext;
  /** What the settings say: a module reads its own. */
  config: Config;
}

/** A capability of the witness. */
export interface WitnessModule extends Module<WitnessRunning, WitnessRunning, WitnessContext, WitnessRoute> {
  commands?(): LoadedCommands<WitnessModule>;
}

/** The same, with what it does while the witness runs. */
export type LoadedWitnessModule = LoadedModule<WitnessRunning, WitnessRunning, WitnessContext, WitnessRoute>;

/** What a capability of the witness does while it runs. */
export type WitnessServer = ServerPart<WitnessRunning, WitnessRunning, WitnessContext, WitnessRoute>;
