import type { LoadedModule, Module, ServerPart } from '../../platform/module.ts';
import type { PackageBuilder } from '../compliance/packages/builder.ts';
import type { Running, Serving } from '../http/serving.ts';
import type { LogContent } from '../log/contents.ts';
import type { Witnesses } from '../log/witnesses/witnesses.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { Webhooks } from '../webhooks/open.ts';
import type { SigningContext, TrustContext } from './context.ts';

/** The open service, for tasks and metrics. */
export interface TrustRunning extends Running<TrustContext> {
  webhooks: Webhooks;
  witnesses: Witnesses;
}

/** The serving service, for routes. */
export interface TrustServing extends TrustRunning, Serving<TrustContext, RouteAuth> {}

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
