import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { retirementDigest } from '../retire.ts';
import { retirements } from './retirements-store.ts';

/** Compares each retired meter with the receipt that states it. */
export async function retirementProblems(snapshot: Snapshot): Promise<Problem[]> {
  const rows = await retirements(snapshot);
  return rows.flatMap((row) => {
    const stated = retirementDigest(row.clusterId ?? '', row.instanceId ?? '', row.retiredAt);
    const isStated =
      row.inputDigest === stated &&
      row.outputHash === stated &&
      row.authorityScope === `datacenter:${row.clusterId}` &&
      row.instanceCluster === row.clusterSeq;
    if (isStated) return [];
    return [
      {
        table: 'datacenter_retirement',
        row: { instance_seq: row.instanceSeq },
        what: 'its receipt states something else',
        expected: stated,
        found: String(row.inputDigest),
      },
    ];
  });
}
