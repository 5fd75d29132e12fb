import type { Transaction } from '../../../../platform/store/transaction.ts';

/** What a receiver of push notifications recognizes the service by. */
export interface PushSecrets {
  /** Sent as X-A2A-Notification-Token. */
  token: string | null;
  /** Sent as Authorization, after the scheme. */
  credentials: string | null;
  /** The key of the signature of Standard Webhooks: `whsec_…`. */
  signingSecret: string;
}

/** A configuration of push notifications as its owner sees it. */
export interface PushConfig {
  id: string;
  /** The id of the task that the client uses. */
  taskId: string;
  url: string;
  scheme: string | null;
  /** The secrets, only in the response to the request that made it. */
  made: PushSecrets | null;
}

/** Stores a configuration whose URL was checked, with the task that it is for. */
export type AttachPush = (
  tx: Transaction,
  task: { taskSeq: number; taskId: string; clientId: string | null },
) => Promise<PushConfig>;
