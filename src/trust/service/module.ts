import type { Config } from '../../platform/config/setting.ts';
import type { Demonstration } from '../../platform/http/openapi/demonstration.ts';
import type { EventTable, LoadedModule, Module, ServerPart } from '../../platform/module.ts';
import type { PackageBuilder } from '../compliance/packages/builder.ts';
import type { LogContent } from '../log/contents.ts';
import type { Witnesses } from '../log/witnesses/witnesses.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { Webhooks } from '../webhooks/open.ts';
import type { SigningContext, TrustContext } from './context.ts';

/** The open service, for tasks and metrics. */
export interface TrustRunning {
  trust: TrustContext;
  webhooks: Webhooks;
  witnesses: Witnesses;
  /** The URL at which this process listens; null in a process without a listener. */
  listener: string | null;
  /** The settings. A module reads only those that it defines. */
  config: Config;
}

/** The serving service, for routes. */
export interface TrustServing extends TrustRunning {
  auth: RouteAuth;
  /** The events of all modules. */
  events: EventTable;
  version: string;
  /** The text that the demonstration shows about itself; null for any other service. */
  demonstration: Demonstration | null;
  /** True if clients use https. */
  secure: boolean;
}

/** A module of the trust service. */
export interface TrustModule extends Module<TrustRunning, TrustServing, TrustContext> {
  /** Loads the contents that the module adds to logs. */
  logContents?(): Promise<{ logContents(context: SigningContext): readonly LogContent[] }>;
  /** Loads the builders of the module's packages. Only the Worker that builds packages loads them. */
  packageBuilders?(): Promise<{ packageBuilders: readonly PackageBuilder[] }>;
}

/** A module with its server part loaded. */
export type LoadedTrustModule = LoadedModule<TrustRunning, TrustServing, TrustContext>;

/** The server part of a module of the trust service: routes, tasks, metrics and actions. */
export type TrustServer = ServerPart<TrustRunning, TrustServing, TrustContext>;
