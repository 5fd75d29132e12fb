import type { Config } from '../../platform/config/setting.ts';
import { type Demonstration, noticeOf } from '../../platform/http/openapi/demonstration.ts';
import type { EventTable } from '../../platform/module.ts';

/** What the tasks and metrics of a capability get. `Context` is the parts of the service that it uses. */
export interface Running<Context> {
  trust: Context;
  /** The URL at which this process listens; null in a process without a listener. */
  listener: string | null;
  /** The settings. A capability reads only those that it defines. */
  config: Config;
}

/** What the routes of a capability get. `Auth` is the authentication of routes. */
export interface Serving<Context, Auth> extends Running<Context> {
  auth: Auth;
  /** The events of all capabilities. */
  events: EventTable;
  version: string;
  /** The text that the demonstration shows about itself; null for any other service. */
  demonstration: Demonstration | null;
  /** True if clients use https. */
  secure: boolean;
  /** Whether the explorer has pages, for everybody or for operators. */
  hasExplorer: boolean;
}

/** What a document as a page for people shows of the service around it. */
export interface PageSite {
  /** What the page says first of a demonstration or a test service; null of any other. */
  notice: string | null;
  /** Whether it can lead to pages of the explorer. */
  hasExplorer: boolean;
}

/** Returns what documents as pages show of the service. */
export function pageSiteOf({
  demonstration,
  hasExplorer,
}: Pick<Serving<never, never>, 'demonstration' | 'hasExplorer'>): PageSite {
  return { notice: noticeOf(demonstration), hasExplorer };
}

/** The parts of the service that a function uses, which are its first parameter. */
export type ContextOf<Uses extends (context: never, ...rest: never[]) => unknown> = Parameters<Uses>[0];
