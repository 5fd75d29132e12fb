import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { requireAgentIn } from '../agents/agents.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { visibleText } from './svg.ts';

export type Agent = Awaited<ReturnType<typeof requireAgentIn>>;

/** What reading facts takes. */
export interface CardContext {
  store: Store;
  clock: Clock;
  log: Pick<TrustLog, 'givenOrigin'>;
}

/** What every attestation rests on. */
export interface CardFacts {
  agent: Agent;
  /** The service's name, as its log bears it. */
  issuer: string;
  /** When this was read: RFC 3339. */
  at: string;
}

/** @throws ApiError not_found for an agent that never enrolled */
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

/** What an agent is called on a picture. */
export function nameOf({ name }: Agent): string {
  return visibleText(name ?? '') ?? 'Unnamed agent';
}

/** `2026-01-31 12:00 UTC`: to the minute, so that a picture stays the same for as long. */
export function minuteOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
