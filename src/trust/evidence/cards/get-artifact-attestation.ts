import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { SourceType } from '../../../proof/evidence/source-types.ts';
import { commonErrors } from '../../http/errors.ts';
import { type StatementContext, signStatement } from '../../log/keys/signing/statements.ts';
import { evidenceByHashIn } from '../find-items.ts';
import { cardPicture } from './card.ts';
import { type CardContext, type CardFacts, factsIn, minuteOf, nameOf } from './card-facts.ts';
import type { Picture } from './svg.ts';

/** A commit or an item of evidence, with the agent's evidence that contains it. */
export interface Artifact {
  /** 40 or 64 hexadecimal characters. */
  hash: string;
  kind: 'commit' | 'evidence';
  eventHash: string;
  sourceType: SourceType;
  outcome: 'success' | 'failure';
  /** RFC 3339. */
  anchoredAt: string;
}

/**
 * Returns a signed statement that an agent's evidence contains an artifact.
 * @throws ApiError not_found, ReadOnly
 */
export function artifactAttestation(
  context: StatementContext & CardContext,
  commitment: string,
  hash: string,
) {
  return signStatement(context, async (snapshot) => {
    const { agent, artifact, at } = await artifactIn(snapshot, context, commitment, hash);
    return {
      type: 'artifact-attestation' as const,
      subject_commitment: agent.subjectCommitment,
      state: agent.state,
      artifact: artifact.hash,
      artifact_kind: artifact.kind,
      event_commitment_hash: artifact.eventHash,
      source_type: artifact.sourceType,
      outcome: artifact.outcome,
      anchored_at: artifact.anchoredAt,
      checked_at: at,
    };
  });
}

/** Returns the same statement as a card, which is not signed. @throws ApiError not_found */
export async function artifactCard(context: CardContext, commitment: string, hash: string): Promise<Picture> {
  return drawArtifact(
    await context.store.read((snapshot) => artifactIn(snapshot, context, commitment, hash)),
  );
}

async function artifactIn(
  snapshot: Snapshot,
  context: Pick<CardContext, 'clock' | 'log'>,
  commitment: string,
  hash: string,
): Promise<CardFacts & { artifact: Artifact }> {
  const facts = await factsIn(snapshot, context, commitment);
  const evidence = await evidenceByHashIn(snapshot, facts.agent.agentSeq, hash);
  if (evidence === null) {
    throw commonErrors.not_found({
      message: 'This agent has no evidence of this artifact. Check both hashes.',
    });
  }
  const { eventHash, payloadDigest, sourceType, outcome, createdAt: anchoredAt } = evidence;
  const kind = hash === eventHash || hash === payloadDigest ? 'evidence' : 'commit';
  return { ...facts, artifact: { hash, kind, eventHash, sourceType, outcome, anchoredAt } };
}

const SOURCES: Readonly<Record<SourceType, string>> = {
  github_push_webhook: 'GitHub push',
  github_commit_payload: 'GitHub commit',
  github_issue_event: 'GitHub issue',
  compliance_report: 'Compliance',
  otel_genai_trace: 'Trace',
  task_deliverable: 'Deliverable',
  assessment: 'Assessment',
};

/** Draws the card of an artifact. */
export function drawArtifact({ agent, issuer, at, artifact }: CardFacts & { artifact: Artifact }): Picture {
  const { hash, kind, eventHash, sourceType, outcome, anchoredAt } = artifact;
  const isRevoked = agent.state === 'REVOKED';
  const heading = `${kind === 'commit' ? 'Commit' : 'Evidence'} ${hash.slice(0, 10)}`;
  const described = [
    `The ${kind} ${hash} is in the signed evidence of agent ${agent.subjectCommitment} (${agent.state}).`,
    `Event ${eventHash}, ${sourceType}, outcome ${outcome}, anchored ${anchoredAt}.`,
    `Checked by ${issuer} at ${minuteOf(at)}. The same, signed: this address with ?format=json.`,
  ];
  return cardPicture({
    title: `${heading} by ${nameOf(agent)}: anchored${isRevoked ? ', agent revoked' : ''}`,
    description: described.join(' '),
    subject: agent.subjectCommitment,
    heading,
    badge: isRevoked ? { word: 'AGENT REVOKED', isGood: false } : { word: 'ANCHORED', isGood: true },
    hash: agent.subjectCommitment,
    line: `by ${nameOf(agent)}`,
    metrics: [
      { label: 'Anchored', value: anchoredAt.slice(0, 10), note: `${anchoredAt.slice(11, 16)} UTC` },
      { label: 'Outcome', value: outcome === 'success' ? 'Success' : 'Failure', note: 'as it was signed' },
      { label: 'Source', value: SOURCES[sourceType], note: 'signed evidence' },
    ],
    issuer: `Checked by ${issuer}`,
    at: minuteOf(at),
  });
}
