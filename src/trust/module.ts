import type { Config } from '../platform/config/setting.ts';
import type { Demonstration } from '../platform/http/openapi/demonstration.ts';
import type { EventTable, LoadedCommands, LoadedModule, Module, ServerPart } from '../platform/module.ts';
import type { TrustAuth } from './auth.ts';
import type { SigningContext, TrustContext } from './context.ts';
import type { LogContent } from './log/contents.ts';
import type { Webhooks } from './webhooks/open.ts';
import type { Witnesses } from './witnesses/witnesses.ts';

/** The open service, as tasks and metrics see it. */
export interface TrustRunning {
  trust: TrustContext;
  webhooks: Webhooks;
  witnesses: Witnesses;
  /** What the settings say: a module reads its own. */
  config: Config;
}

/** The service that answers requests, as routes see it. */
export interface TrustServing extends TrustRunning {
  auth: TrustAuth;
  /** Of all modules. */
  events: EventTable;
  version: string;
  /** What it says about itself as a demonstration; null where it is none. */
  demonstration: Demonstration | null;
  /** Whether clients come by https. */
  secure: boolean;
}

/** A capability of the trust service. */
export interface TrustModule extends Module<TrustRunning, TrustServing, TrustContext> {
  commands?(): LoadedCommands<TrustModule>;
  /** What it fills logs with. */
  logContents?(): Promise<{ logContents(context: SigningContext): readonly LogContent[] }>;
}

/** The same, with what it does while the service runs. */
export type LoadedTrustModule = LoadedModule<TrustRunning, TrustServing, TrustContext>;

/** What a capability of the trust service does while it runs. */
export type TrustServer = ServerPart<TrustRunning, TrustServing, TrustContext>;
