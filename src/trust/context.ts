import type { Cursors } from '../platform/http/pagination/cursor.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Ids } from '../platform/ids.ts';
import type { HealthMonitor } from '../platform/monitoring/health.ts';
import type { Store } from '../platform/store/store.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { ClockWatch } from '../platform/time/clock-watch.ts';
import type { AgentCache } from './agents/agent-cache.ts';
import type { Avatars } from './attestations/avatar.ts';
import type { Signer } from './keys/signing/signer.ts';
import type { LogContent } from './log/contents.ts';
import type { TrustLog } from './log/lifecycle/open.ts';
import type { Principals } from './operators/auth/principals.ts';
import type { TrustPolicy } from './policy.ts';
import type { Quotas } from './quotas/quotas.ts';
import type { Events } from './webhooks/events.ts';

/** What functions take that need no signing key: all that a command beside a server needs. */
export interface CommandContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: TrustPolicy;
  principals: Principals;
  /** The requests that are being answered. */
  traffic: Traffic;
  /** What each payer may write. */
  quotas: Quotas;
  cursors: Cursors;
}

/** Also the signing keys. */
export interface SigningContext extends CommandContext {
  signer: Signer;
}

/** Also the contents of the logs, which a start, a restart and a recovery of the logs need. */
export interface LogCommandContext extends SigningContext {
  contents: readonly LogContent[];
}

/** What the trust service's functions work with; each takes the part of it that it uses. */
export interface TrustContext extends SigningContext {
  log: TrustLog;
  /** Whether the wall clock can be trusted. */
  clockWatch: ClockWatch;
  /** Notifies subscribers of what happens. */
  events: Events;
  /** The URL under which the service is known; null in a command, which answers nobody. */
  url: string | null;
  /** What health answers. */
  health: HealthMonitor;
  agentCache: AgentCache;
  /** What is shown of agents, and remembered. */
  avatars: Avatars;
  /** The data directory. */
  directory: string;
  /** Nothing is written, and nothing signed. */
  readOnly: boolean;
}
