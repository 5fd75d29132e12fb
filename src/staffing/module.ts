import type { Config } from '../platform/config/setting.ts';
import type { Demonstration } from '../platform/http/openapi/demonstration.ts';
import type { LoadedCommands, LoadedModule, Module, ServerPart } from '../platform/module.ts';
import type { StaffingAuth } from './auth.ts';
import type { CommandContext, StaffingContext } from './context.ts';

/** The open service, as tasks and metrics see it. */
export interface StaffingRunning {
  staffing: StaffingContext;
  /** The values of all settings; a module reads those that it declares. */
  config: Config;
}

/** The service that handles requests, as routes see it. */
export interface StaffingServing extends StaffingRunning {
  auth: StaffingAuth;
  version: string;
  /** The description of the demonstration; null when the service is not one. */
  demonstration: Demonstration | null;
  /** The URL of the service for its clients; `/` if it is not known. */
  serverUrl: string;
}

/** A module of the staffing service. */
export interface StaffingModule extends Module<StaffingRunning, StaffingServing, CommandContext> {
  commands?(): LoadedCommands<StaffingModule>;
}

/** A module with its server part loaded. */
export type LoadedStaffingModule = LoadedModule<StaffingRunning, StaffingServing, CommandContext>;

/** The part of a module that is loaded only when the service runs. */
export type StaffingServer = ServerPart<StaffingRunning, StaffingServing, CommandContext>;
