import type { Config } from '../platform/config/setting.ts';
import type { Demonstration } from '../platform/http/openapi/demonstration.ts';
import type { LoadedCommands, LoadedModule, Module, ServerPart } from '../platform/module.ts';
import type { StaffingAuth } from './auth.ts';
import type { CommandContext, StaffingContext } from './context.ts';

/** The open service, as tasks and metrics see it. */
export interface StaffingRunning {
  staffing: StaffingContext;
  /** What the settings say: a module reads its own. */
  config: Config;
}

/** The service that answers requests, as routes see it. */
export interface StaffingServing extends StaffingRunning {
  auth: StaffingAuth;
  version: string;
  /** What it says about itself as a demonstration; null where it is none. */
  demonstration: Demonstration | null;
}

/** A capability of the staffing service. */
export interface StaffingModule extends Module<StaffingRunning, StaffingServing, CommandContext> {
  commands?(): LoadedCommands<StaffingModule>;
}

/** The same, with what it does while the service runs. */
export type LoadedStaffingModule = LoadedModule<StaffingRunning, StaffingServing, CommandContext>;

/** What a capability of the staffing service does while it runs. */
export type StaffingServer = ServerPart<StaffingRunning, StaffingServing, CommandContext>;
