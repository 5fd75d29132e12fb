import { getTableColumns } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import {
  datacenterCluster,
  datacenterEvidence,
  datacenterInstance,
} from '../../../../db/trust/datacenter.ts';
import { receipt, receiptVersion, serviceReceipt } from '../../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';

const attester = alias(agent, 'attester');
const corrected = alias(datacenterEvidence, 'corrected');
const correcting = alias(datacenterEvidence, 'correcting');
const sql = sqlOf({ datacenterEvidence });

/** The flags as they are stored, since any number but 1 is false for their columns. */
const FLAGS = {
  countsEnergy: sql.number`datacenter_evidence.counts_energy`,
  countsThermal: sql.number`datacenter_evidence.counts_thermal`,
  setpointApplied: orNull(sql.number`datacenter_evidence.setpoint_applied`),
  throttled: orNull(sql.number`datacenter_evidence.throttled`),
};

const newest = sql.value(orNull(sql.number`max(receipt_seq)`))`FROM datacenter_evidence`;

/** An item with the rows that it is compared with; null where a row is missing. */
export type AuditedItem = Awaited<ReturnType<typeof auditedItems>>[number];

/** Returns the items with numbers above `after` up to `reach`, in ascending order. */
export const auditedItems = sql.joined({
  item: { ...getTableColumns(datacenterEvidence), ...FLAGS },
  clusterId: orNull(datacenterCluster.clusterId),
  ownerSeq: orNull(datacenterCluster.operatorSeq),
  instanceId: orNull(datacenterInstance.instanceId),
  instanceClusterSeq: orNull(datacenterInstance.clusterSeq),
  subjectCommitment: orNull(agent.subjectCommitment),
  publicKey: orNull(agent.publicKey),
  enrolledAt: orNull(agent.issuedAt),
  attester: orNull({ commitment: attester.subjectCommitment, publicKey: attester.publicKey }),
  corrected: orNull({
    evidenceId: corrected.evidenceId,
    instanceSeq: corrected.instanceSeq,
    eventType: corrected.eventType,
    class: corrected.class,
  }),
  /** The item that says that it corrects this one. */
  correctingSeq: orNull(correcting.receiptSeq),
  receipt: orNull({
    receiptType: receipt.receiptType,
    operatorSeq: receipt.operatorSeq,
    agentId: receipt.agentId,
    authorityScope: receipt.authorityScope,
    inputDigest: receipt.inputDigest,
    issuedAt: receipt.issuedAt,
  }),
  outputHash: orNull(receiptVersion.outputHash),
  serviceSeq: orNull(serviceReceipt.receiptSeq),
}).rows`
  FROM datacenter_evidence
  LEFT JOIN datacenter_cluster ON datacenter_cluster.cluster_seq = datacenter_evidence.cluster_seq
  LEFT JOIN datacenter_instance ON datacenter_instance.instance_seq = datacenter_evidence.instance_seq
  LEFT JOIN agent ON agent.agent_seq = datacenter_evidence.agent_seq
  LEFT JOIN agent AS attester ON attester.agent_seq = datacenter_evidence.attester_seq
  LEFT JOIN datacenter_evidence AS corrected ON corrected.receipt_seq = datacenter_evidence.corrects
  LEFT JOIN datacenter_evidence AS correcting ON correcting.corrects = datacenter_evidence.receipt_seq
  LEFT JOIN receipt ON receipt.receipt_seq = datacenter_evidence.receipt_seq
  LEFT JOIN receipt_version
    ON receipt_version.receipt_seq = datacenter_evidence.receipt_seq AND receipt_version.version = 2
  LEFT JOIN service_receipt ON service_receipt.receipt_seq = datacenter_evidence.receipt_seq
  WHERE datacenter_evidence.receipt_seq > ${'after:receiptSeq'}
    AND datacenter_evidence.receipt_seq <= ${'reach:receiptSeq'}
  ORDER BY datacenter_evidence.receipt_seq`;

/** Returns the highest number of an item; 0 if there is none. */
export async function newestItem(snapshot: Snapshot): Promise<number> {
  return (await newest(snapshot)) ?? 0;
}
