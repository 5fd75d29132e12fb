import type { SourceType } from '../../../db/trust/evidence.ts';
import type { EventName } from '../../../db/trust/webhooks.ts';
import type { Transaction } from '../../platform/store/transaction.ts';

/** What each event says (specification, section 6). */
interface EventData extends Record<EventName, object> {
  'evidence.anchored': {
    event_commitment_hash: string;
    subject_commitment: string;
    source_type: SourceType;
  };
  'enrollment.completed': { subject_commitment: string; public_key: string; context: string };
  'reputation.degraded': ReputationData;
  'reputation.restored': ReputationData;
  'reputation.milestone': {
    agent_commitment: string;
    /** Items of evidence. */
    total_evidence: number;
    milestone_tier: 100 | 500 | 1000;
  };
}

interface ReputationData {
  agent_commitment: string;
  /** 0 to 1, four decimals. */
  current_failure_rate: number;
  reason: string;
}

/** Something that happened, and whom it concerns. */
export type TrustEvent = {
  [Name in EventName]: {
    event: Name;
    data: EventData[Name];
    /** RFC 3339, of the transaction that it happened in. */
    timestamp: string;
    /** operator_seq of those whom it concerns: the agent's sponsor, and who brought the evidence. */
    operators: readonly number[];
  };
}[EventName];

type Listener = (event: TrustEvent) => void;

/** Tells those who listen what happened, after it is durable. */
export class Events {
  private readonly listeners: Listener[] = [];

  /** `listener` must not throw. */
  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Tells of `event` once the transaction is committed, and never otherwise. */
  emitIn(tx: Transaction, event: TrustEvent): void {
    tx.afterCommit(() => {
      for (const listener of this.listeners) listener(event);
    });
  }
}
