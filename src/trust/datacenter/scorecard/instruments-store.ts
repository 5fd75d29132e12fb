import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import {
  datacenterEvidence,
  datacenterInstance,
  datacenterMeter,
  datacenterRetirement,
} from '../../../../db/trust/datacenter.ts';
import type { TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOrNull } from '../../../platform/time/timestamp.ts';
import { mask } from '../../operators/mask.ts';

const attester = alias(agent, 'attester');
const sql = sqlOf({ datacenterMeter, datacenterEvidence });

/** The most instruments that a scorecard names; it counts all. */
const MAX_INSTRUMENTS = 50;

/**
 * The attester of a meter: it attests the instrument that enrolled the meter. It counts while it stands for
 * itself: not revoked, since somebody else may have its key, and with an active sponsor that is not the owner
 * of the cluster.
 */
const ATTESTED = sql.part`
  LEFT JOIN datacenter_evidence AS attested ON attested.receipt_seq = datacenter_meter.attested_seq
  LEFT JOIN agent AS attester ON attester.agent_seq = attested.attester_seq AND attester.state <> 'REVOKED'
    AND attested.agent_seq = (SELECT agent_seq FROM datacenter_evidence WHERE receipt_seq = datacenter_meter.enrolled_seq)
    AND (SELECT account_status FROM operator WHERE operator_seq = attester.sponsor_seq) = 'ACTIVE'
    AND attester.sponsor_seq <> (SELECT operator_seq FROM datacenter_cluster WHERE cluster_seq = datacenter_meter.cluster_seq)
  LEFT JOIN datacenter_retirement ON datacenter_retirement.instance_seq = datacenter_meter.instance_seq`;

/** How the meters of a class were enrolled. Times are RFC 3339; null without a meter. */
export interface MeterCounts {
  retired: number;
  attested: number;
  first_enrolled_at: string | null;
  last_enrolled_at: string | null;
}

const totals = sql.joined({
  count: sql.number`count(*)`,
  attested: sql.number`count(attester.agent_seq)`,
  firstSeq: orNull(sql.number`min(enrolled_seq)`),
  lastSeq: orNull(sql.number`max(enrolled_seq)`),
  retired: sql.number`count(datacenter_retirement.instance_seq)`,
}).row`FROM datacenter_meter ${ATTESTED}
  WHERE datacenter_meter.cluster_seq = ${'clusterSeq'} AND datacenter_meter.class = ${'class'}`;

const arrival = sql.value(datacenterEvidence.ingestedAt)`WHERE receipt_seq = ${'receiptSeq'}`;

/** An instrument of a cluster, with the first item that it was enrolled by. */
const listed = sql.joined({
  instanceId: datacenterInstance.instanceId,
  role: datacenterEvidence.meterRole,
  enrolledAt: datacenterEvidence.ingestedAt,
  commitment: orNull(agent.subjectCommitment),
  attestedBy: orNull(attester.subjectCommitment),
  attesterOperator: orNull(operator.operatorId),
  retiredAt: orNull(datacenterRetirement.retiredAt),
}).rows`FROM datacenter_meter
  JOIN datacenter_instance ON datacenter_instance.instance_seq = datacenter_meter.instance_seq
  JOIN datacenter_evidence ON datacenter_evidence.receipt_seq = datacenter_meter.enrolled_seq ${ATTESTED}
  LEFT JOIN agent ON agent.agent_seq = datacenter_evidence.agent_seq
  LEFT JOIN operator ON operator.operator_seq = attester.sponsor_seq
  WHERE datacenter_meter.cluster_seq = ${'clusterSeq'} AND datacenter_meter.class = ${'class'}
  ORDER BY datacenter_meter.instance_seq LIMIT ${'limit'}`;

/** Returns how the meters of a class of a cluster were enrolled, attested and retired. */
export async function meterCounts(
  snapshot: Snapshot,
  clusterSeq: number,
  name: TelemetryClass,
): Promise<MeterCounts> {
  const counts = await totals(snapshot, { clusterSeq, class: name });
  const timeAt = async (receiptSeq: number | null) =>
    timestampOrNull(receiptSeq === null ? null : await arrival(snapshot, receiptSeq));
  return {
    retired: counts?.retired ?? 0,
    attested: counts?.attested ?? 0,
    first_enrolled_at: await timeAt(counts?.firstSeq ?? null),
    last_enrolled_at: await timeAt(counts?.lastSeq ?? null),
  };
}

/** Returns the first instruments of a class of a cluster, as a scorecard names them. */
export async function instrumentsOf(snapshot: Snapshot, clusterSeq: number, name: TelemetryClass) {
  const rows = await listed(snapshot, { clusterSeq, class: name, limit: MAX_INSTRUMENTS });
  return rows.map(
    ({ instanceId, role, enrolledAt, commitment, attestedBy, attesterOperator, retiredAt }) => ({
      instance_id: instanceId,
      meter_role: role ?? 'both',
      subject_commitment: commitment,
      enrolled_at: timestampOrNull(enrolledAt),
      attested_by: attestedBy ?? 'self_attested',
      attester_operator_id: attesterOperator === null ? null : mask(attesterOperator, 'op_cus_'),
      retired_at: timestampOrNull(retiredAt),
    }),
  );
}
