import type { Metric } from '../../platform/monitoring/metrics.ts';
import { LOG_NAMES } from '../../proof/log/log-names.ts';
import type { TrustContext } from '../context.ts';
import type { Witnesses } from './witnesses.ts';

/** Returns the metrics of the witnesses; none where no policy is set. */
export function witnessMetrics(
  { log: { publisher } }: Pick<TrustContext, 'log'>,
  { policy, age, isMet }: Witnesses,
): Metric[] {
  if (policy === null) return [];
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
    {
      name: 'countersign_log_quorum_met',
      help: '1 if a quorum of witnesses has cosigned the newest checkpoint of a log; else 0.',
      labels: ['log'],
      read: async () =>
        LOG_NAMES.map((log) => ({ labels: { log }, value: isMet(publisher.latest(log)) ? 1 : 0 })),
    },
  ];
}
