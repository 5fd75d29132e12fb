import { REPUTATION_TYPE } from '../../proof/credential/contexts.ts';
import { contextText, Vocabulary } from './vocabulary.ts';

/**
 * Returns the JSON-LD context of credentials about reputations, version 2, as text. Credentials name it by
 * its URL, and verifiers may keep it permanently: it never changes. One more term makes another version.
 */
export function reputationContext(): string {
  const vocabulary = new Vocabulary('urn:countersign:vocabulary:reputation:v2#');
  return contextOf(vocabulary, {
    score_corroborated: vocabulary.typed('score_corroborated', 'integer'),
    score_basis: vocabulary.nested('score_basis', {
      corroborated: vocabulary.typed('corroborated', 'integer'),
      sponsored: vocabulary.typed('sponsored', 'integer'),
      self_signed: vocabulary.typed('self_signed', 'integer'),
    }),
  });
}

/** Returns version 1 of the context, which credentials of earlier versions name. */
export function reputationContextV1(): string {
  return contextOf(new Vocabulary('urn:countersign:vocabulary:reputation:v1#'), {});
}

/** Returns a context with the terms of every version, and more of one. */
function contextOf(vocabulary: Vocabulary, more: Record<string, unknown>): string {
  return contextText({
    [REPUTATION_TYPE]: vocabulary.term(REPUTATION_TYPE),
    agent_commitment_hash: vocabulary.typed('agent_commitment_hash', 'string'),
    totals: vocabulary.nested('totals', {
      evidence_count: vocabulary.typed('evidence_count', 'integer'),
      artifact_count: vocabulary.typed('artifact_count', 'integer'),
      failure_count: vocabulary.typed('failure_count', 'integer'),
    }),
    rolling_30d: vocabulary.nested('rolling_30d', {
      success_rate: vocabulary.typed('success_rate', 'double'),
      failure_rate: vocabulary.typed('failure_rate', 'double'),
    }),
    score: vocabulary.typed('score', 'integer'),
    ...more,
    sample_size: vocabulary.typed('sample_size', 'integer'),
    first_observed_at: vocabulary.typed('first_observed_at', 'dateTime'),
    last_observed_at: vocabulary.typed('last_observed_at', 'dateTime'),
    measured_at: vocabulary.typed('measured_at', 'dateTime'),
    receipts_count: vocabulary.typed('receipts_count', 'integer'),
    // The VC context has a term `evidence` too, so this one has its meaning only here.
    checkpoint: vocabulary.nested('checkpoint', {
      evidence: vocabulary.checkpoint('evidence'),
      receipts: vocabulary.checkpoint('receipts'),
    }),
  });
}
