import type { Figure } from '../../platform/monitoring/metrics.ts';
import { LOG_NAMES } from '../../proof/log/names.ts';
import type { TrustContext } from '../context.ts';
import type { Witnesses } from './witnesses.ts';

/** What is told of the witnesses; nothing where there are none. */
export function witnessMetrics(
  { log: { publisher } }: Pick<TrustContext, 'log'>,
  { policy, age, isMet }: Witnesses,
): Figure[] {
  if (policy === null) return [];
  return [
    {
      name: 'countersign_witness_cosignature_age_seconds',
      help: 'How long ago a witness cosigned a checkpoint of a log; since the start, where it has not for long.',
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
      help: "1 when the witnesses that the policy's quorum asks for have cosigned the newest checkpoint of a log, else 0.",
      labels: ['log'],
      read: async () =>
        LOG_NAMES.map((log) => ({ labels: { log }, value: isMet(publisher.latest(log)) ? 1 : 0 })),
    },
  ];
}
