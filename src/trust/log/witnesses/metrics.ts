import type { Metric } from '../../../platform/monitoring/metrics.ts';
import { LOG_NAMES } from '../../../proof/log/log-names.ts';
import type { Witnesses } from './witnesses.ts';

/** Returns the metrics of the witnesses: none without a policy, and none of the quorum without one. */
export function witnessMetrics({ policy, age, cosignedAge, isQuorumMet }: Witnesses): Metric[] {
  if (policy === null) return [];
  const labels = ['log'];
  const quorumMetrics: Metric[] = [
    {
      name: 'countersign_log_quorum_met',
      help: '1 if no checkpoint of a log has waited for its quorum of witnesses for more than 60 seconds; else 0.',
      labels,
      read: async () => LOG_NAMES.map((log) => ({ labels: { log }, value: isQuorumMet(log) ? 1 : 0 })),
    },
    {
      name: 'countersign_log_cosigned_age_seconds',
      help: 'Seconds since the newest checkpoint of a log that meets the quorum was issued, or since the start if there is none.',
      labels,
      read: async () => LOG_NAMES.map((log) => ({ labels: { log }, value: cosignedAge(log) })),
    },
  ];
  return [
    {
      name: 'countersign_witness_cosignature_age_seconds',
      help: 'Seconds since a witness cosigned a checkpoint of a log, or since the start if it did not cosign lately.',
      labels: ['witness', 'log'],
      read: async () =>
        policy.servers.flatMap(({ witnesses }) =>
          witnesses.flatMap((witness) =>
            LOG_NAMES.map((log) => ({ labels: { witness: witness.name, log }, value: age(witness, log) })),
          ),
        ),
    },
    ...(policy.quorum === null ? [] : quorumMetrics),
  ];
}
