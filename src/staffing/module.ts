import type { Config } from '../platform/config/setting.ts';
import type { Demonstration } from '../platform/http/openapi/demonstration.ts';
import type { LoadedCommands, LoadedModule, Module, ServerPart } from '../platform/module.ts';
import type { Desk, Staffing } from './context.ts';
import type { Doors } from './doors.ts';

/** The open service, as tasks and metrics see it. */
export interface StaffingRunning {
  staffing: Staffing;
  /** What the settings say: a module reads its own. */
  config: Config;
}

/** The service that answers requests, as routes see it. */
export interface StaffingServing extends StaffingRunning {
  doors: Doors;
  version: string;
  /** What it says about itself as a demonstration; null where it is none. */
  demonstration: Demonstration | null;
}

/** A capability of the staffing service. */
export interface StaffingModule extends Module<StaffingRunning, StaffingServing, Desk> {
  commands?(): LoadedCommands<StaffingModule>;
}

/** The same, with what it does while the service runs. */
export type LoadedStaffingModule = LoadedModule<StaffingRunning, StaffingServing, Desk>;

/** What a capability of the staffing service does while it runs. */
export type StaffingServer = ServerPart<StaffingRunning, StaffingServing, Desk>;
