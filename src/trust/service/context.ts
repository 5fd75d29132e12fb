import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Traffic } from '../../platform/http/traffic.ts';
import type { Ids } from '../../platform/ids.ts';
import type { HealthMonitor } from '../../platform/monitoring/health.ts';
import type { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import type { AgentCache } from '../agents/agent-cache.ts';
import type { AgentRecords } from '../agents/agent-records.ts';
import type { PaymentProcessor } from '../billing/processor/processor.ts';
import type { PackageSource } from '../compliance/packages/request.ts';
import type { CredentialCache } from '../credentials/cache.ts';
import type { Avatars } from '../evidence/cards/avatar.ts';
import type { Deliveries } from '../evidence/deliverable.ts';
import type { OpenWithdrawals } from '../ledger/hold.ts';
import type { Months } from '../ledger/statements/months.ts';
import type { LogContent } from '../log/contents.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { LastingActs } from '../operators/restored/lasting-acts.ts';
import type { TaskStreams } from '../protocols/a2a/streams/task-streams.ts';
import type { Events } from '../webhooks/events.ts';
import type { TrustPolicy } from './policy.ts';

/** The parts of the context that need no signing key. They suffice for commands. */
export interface CommandContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: TrustPolicy;
  principals: Principals;
  /** The requests in progress. */
  traffic: Traffic;
  /** The quotas of payers. */
  quotas: Quotas;
  cursors: Cursors;
  /** Brings what a restored backup must not undo into a file beside the database. */
  acts: LastingActs;
  /** What other rooms record of each agent. */
  agentRecords: AgentRecords;
}

/** The context with signing keys. */
export interface SigningContext extends CommandContext {
  signer: Signer;
}

/** The context with the contents of the logs, which starting, restarting and recovering logs need. */
export interface LogCommandContext extends SigningContext {
  contents: readonly LogContent[];
}

/** The context of the trust service. Each function takes the part that it uses. */
export interface TrustContext extends SigningContext {
  log: TrustLog;
  /** True if the wall clock can be trusted. */
  clockWatch: ClockWatch;
  /** Notifies subscribers of what happens. */
  events: Events;
  /** The URL of the service for its clients; null in a command. */
  url: string | null;
  /** The service's health. */
  health: HealthMonitor;
  agentCache: AgentCache;
  /** Delivers tasks with evidence. */
  deliveries: Deliveries;
  /** Withdrawals of which a dispute holds a part. */
  openWithdrawals: OpenWithdrawals;
  /** The cache of avatars. */
  avatars: Avatars;
  /** The cache of signed credentials and status lists. */
  credentialCache: CredentialCache;
  /** Builds, signs and caches packages. */
  packages: PackageSource;
  /** Adds up the months of journals. */
  months: Months;
  /** The keys that read a whole journal now. */
  openJournals: Set<string>;
  /** The streams of A2A tasks. */
  taskStreams: TaskStreams;
  /** Returns the payment processor; null if none is configured. The first call loads its code. */
  processor: () => Promise<PaymentProcessor | null>;
  /** Warns of failures that clients and processors can cause at any rate. */
  failures: LimitedLog;
  /** Encrypts the secrets of webhooks and the keys of wallets. */
  masterKey: MasterKey;
  /** The data directory. */
  directory: string;
  /** The file of the database, for Workers that read it. */
  databaseFile: string;
  /** True if the service writes and signs nothing. */
  readOnly: boolean;
}
