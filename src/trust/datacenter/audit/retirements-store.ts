import {
  datacenterCluster,
  datacenterInstance,
  datacenterRetirement,
} from '../../../../db/trust/datacenter.ts';
import { receipt, receiptVersion } from '../../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ datacenterRetirement });

/** Returns all meters that were retired, with what their receipts state; null where a row is missing. */
export const retirements = sql.joined(
  {
    instanceSeq: datacenterRetirement.instanceSeq,
    retiredAt: datacenterRetirement.retiredAt,
    clusterSeq: datacenterRetirement.clusterSeq,
    instanceCluster: orNull(datacenterInstance.clusterSeq),
    instanceId: orNull(datacenterInstance.instanceId),
    clusterId: orNull(datacenterCluster.clusterId),
    inputDigest: orNull(receipt.inputDigest),
    authorityScope: orNull(receipt.authorityScope),
    outputHash: orNull(receiptVersion.outputHash),
  },
  { scans: 'an operator retires few meters' },
).rows`FROM datacenter_retirement
  LEFT JOIN datacenter_instance ON datacenter_instance.instance_seq = datacenter_retirement.instance_seq
  LEFT JOIN datacenter_cluster ON datacenter_cluster.cluster_seq = datacenter_retirement.cluster_seq
  LEFT JOIN receipt ON receipt.receipt_seq = datacenter_retirement.receipt_seq
  LEFT JOIN receipt_version ON receipt_version.receipt_seq = datacenter_retirement.receipt_seq AND receipt_version.version = 2`;
