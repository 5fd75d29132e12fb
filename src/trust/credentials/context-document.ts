import { REPUTATION_TYPE } from '../../proof/credential/contexts.ts';

/** The terms mean the same in every installation. */
const VOCABULARY = 'urn:countersign:vocabulary:reputation:v1#';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

const term = (name: string) => `${VOCABULARY}${name}`;
const typed = (name: string, type: string) => ({ '@id': term(name), '@type': `${XSD}${type}` });
/** An object, whose members have a meaning only in it. */
const nested = (name: string, members: Record<string, unknown>) => ({
  '@id': term(name),
  '@context': { '@protected': true, ...members },
});

const log = (name: string) =>
  nested(name, {
    origin: typed('origin', 'string'),
    tree_size: typed('tree_size', 'integer'),
    root_hash: typed('root_hash', 'string'),
  });

/**
 * Returns the JSON-LD context of credentials about reputations, version 1, as text. Credentials name it by its URL, and verifiers may keep
 * it permanently: it never changes. One more term makes another version.
 */
export function reputationContext(): string {
  return JSON.stringify({
    '@context': {
      '@version': 1.1,
      '@protected': true,
      [REPUTATION_TYPE]: term(REPUTATION_TYPE),
      agent_commitment_hash: typed('agent_commitment_hash', 'string'),
      totals: nested('totals', {
        evidence_count: typed('evidence_count', 'integer'),
        artifact_count: typed('artifact_count', 'integer'),
        failure_count: typed('failure_count', 'integer'),
      }),
      rolling_30d: nested('rolling_30d', {
        success_rate: typed('success_rate', 'double'),
        failure_rate: typed('failure_rate', 'double'),
      }),
      score: typed('score', 'integer'),
      sample_size: typed('sample_size', 'integer'),
      first_observed_at: typed('first_observed_at', 'dateTime'),
      last_observed_at: typed('last_observed_at', 'dateTime'),
      measured_at: typed('measured_at', 'dateTime'),
      receipts_count: typed('receipts_count', 'integer'),
      // The VC context has a term `evidence` too, so this one has its meaning only here.
      checkpoint: nested('checkpoint', { evidence: log('evidence'), receipts: log('receipts') }),
    },
  });
}
