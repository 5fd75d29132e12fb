import type { Config } from '../../platform/config/setting.ts';
import type { Demonstration } from '../../platform/http/openapi/demonstration.ts';
import type { LoadedModule, Module } from '../../platform/module.ts';
import type { ServiceAuth } from './auth.ts';
import type { CommandContext, StaffingContext } from './context.ts';

/** The open service, as tasks and metrics see it. */
export interface StaffingRunning {
  staffing: StaffingContext;
  /** The values of all settings; a module reads those that it declares. */
  config: Config;
}

/** The service that handles requests, as routes see it. */
export interface StaffingServing extends StaffingRunning {
  auth: ServiceAuth;
  version: string;
  /** The description of the demonstration; null when the service is not one. */
  demonstration: Demonstration | null;
  /** The URL of the service for its clients; `/` if it is not known. */
  serverUrl: string;
}

/** A module of the staffing service. */
export type StaffingModule = Module<StaffingRunning, StaffingServing, CommandContext>;

/** A module with its server part loaded. */
export type LoadedStaffingModule = LoadedModule<StaffingRunning, StaffingServing, CommandContext>;
