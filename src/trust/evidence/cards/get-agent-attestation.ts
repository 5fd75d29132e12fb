import { lazy } from '../../../platform/lazy.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import {
  STATEMENT_VALIDITY_MS,
  type StatementContext,
  signStatement,
} from '../../log/keys/signing/statements.ts';
import { performanceOf } from '../reputation/performance.ts';
import { cardPicture } from './card.ts';
import { type CardContext, type CardFacts, factsIn, minuteOf, nameOf } from './card-facts.ts';
import type { Picture } from './svg.ts';

type AgentPerformance = Pick<
  Awaited<ReturnType<typeof performanceOf>>,
  'totals' | 'rolling_30d' | 'trajectory_7d' | 'score'
>;

/**
 * Returns a signed statement of an agent's state and performance.
 * @throws ApiError not_found for an agent that never enrolled, ReadOnly
 */
export function agentAttestation(context: StatementContext & CardContext, commitment: string) {
  return signStatement(context, async (snapshot) => {
    const { agent, at, performance } = await performanceIn(snapshot, context, commitment);
    const { totals, rolling_30d, trajectory_7d, score } = performance;
    const { success_rate, failure_rate, sample_size } = rolling_30d;
    return {
      type: 'agent-attestation' as const,
      subject_commitment: agent.subjectCommitment,
      state: agent.state,
      name: agent.name,
      totals: { ...totals },
      rolling_30d: { success_rate, failure_rate },
      trajectory_7d,
      score,
      sample_size,
      measured_at: at,
      valid_until: timestampOf(Date.parse(at) + STATEMENT_VALIDITY_MS),
    };
  });
}

/**
 * Returns an agent's state and performance as a card, which is not signed.
 * @throws ApiError not_found for an agent that never enrolled
 */
export async function agentCard(context: CardContext, commitment: string): Promise<Picture> {
  return drawAgent(await context.store.read((snapshot) => performanceIn(snapshot, context, commitment)));
}

async function performanceIn(
  snapshot: Snapshot,
  context: Pick<CardContext, 'clock' | 'log'>,
  commitment: string,
): Promise<CardFacts & { performance: AgentPerformance }> {
  const facts = await factsIn(snapshot, context, commitment);
  return { ...facts, performance: await performanceOf(snapshot, facts.agent, Date.parse(facts.at)) };
}

/** Draws the card of an agent. */
export function drawAgent({
  agent,
  issuer,
  at,
  performance,
}: CardFacts & { performance: AgentPerformance }): Picture {
  const { totals, rolling_30d, score } = performance;
  const { success_rate, sample_size } = rolling_30d;
  const name = nameOf(agent);
  const isRevoked = agent.state === 'REVOKED';
  const line = isRevoked
    ? `Revoked ${agent.revokedAt?.slice(0, 10)}`
    : `Enrolled ${agent.issuedAt.slice(0, 10)}`;
  const success = success_rate === null ? '–' : percent(success_rate);
  const events = `${count(sample_size)} ${sample_size === 1 ? 'event' : 'events'}`;
  const described = [
    `Agent ${agent.subjectCommitment}, ${agent.state}. ${line}.`,
    success_rate === null ? 'No events in 30 days.' : `Success rate over 30 days: ${success} of ${events}.`,
    `Score: ${score} of 100. Items of evidence: ${totals.evidence_count}.`,
    `Measured by ${issuer} at ${minuteOf(at)}. The same, signed: this address with ?format=json.`,
  ];
  return cardPicture({
    title: `${name}: ${agent.state}`,
    description: described.join(' '),
    subject: agent.subjectCommitment,
    heading: name,
    badge: { word: agent.state, isGood: !isRevoked },
    hash: agent.subjectCommitment,
    line,
    metrics: [
      { label: 'Score', value: sample_size === 0 ? '–' : String(score), note: 'of 100' },
      { label: 'Success, 30 days', value: success, note: sample_size === 0 ? 'no events' : `of ${events}` },
      { label: 'Evidence', value: count(totals.evidence_count), note: 'signed, all time' },
    ],
    issuer: `Measured by ${issuer}`,
    at: minuteOf(at),
  });
}

/** Formats a rate of 0 to 1, rounded down to one decimal: 0.9999 is 99.9%, so that 100% means all. */
function percent(rate: number): string {
  return rate === 1 ? '100%' : `${(Math.floor(Math.round(rate * 10_000) / 10) / 10).toFixed(1)}%`;
}

const whole = lazy(() => new Intl.NumberFormat('en'));
const compact = lazy(
  () => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1, roundingMode: 'trunc' }),
);

function count(number: number): string {
  return number < 100_000 ? whole().format(number) : compact().format(number);
}
