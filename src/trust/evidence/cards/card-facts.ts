import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import { visibleText } from './svg.ts';

export type Agent = Awaited<ReturnType<typeof requireAgentIn>>;

export interface CardContext {
  store: Store;
  clock: Clock;
  log: Pick<TrustLog, 'givenOrigin'>;
}

/** The facts that every attestation contains. */
export interface CardFacts {
  agent: Agent;
  /** The origin that the first start or a renaming gave the logs: it identifies the service. */
  issuer: string;
  /** The time when the facts were read: RFC 3339. */
  at: string;
}

/** Reads the facts about an agent. @throws ApiError not_found for an agent that never enrolled */
export async function factsIn(
  snapshot: Snapshot,
  { clock, log }: Pick<CardContext, 'clock' | 'log'>,
  commitment: string,
): Promise<CardFacts> {
  return {
    agent: await requireAgentIn(snapshot, commitment),
    issuer: log.givenOrigin,
    at: timestamp(clock),
  };
}

/** Returns the name of an agent for a picture. */
export function nameOf({ name }: Agent): string {
  return visibleText(name ?? '') ?? 'Unnamed agent';
}

/**
 * Formats a time like `2026-01-31 12:00 UTC`: to the minute, so that a picture and its entity tag change once
 * a minute at most.
 */
export function minuteOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
