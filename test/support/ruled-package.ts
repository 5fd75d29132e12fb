import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { summaryOf } from '../../src/proof/package/format.ts';
import { FRAMEWORKS } from '../../src/proof/package/frameworks/catalogue.ts';
import { assess } from '../../src/proof/package/frameworks/mapping.ts';
import type { AgentCount } from '../../src/proof/package/frameworks/vocabulary.ts';
import {
  COVERAGE,
  type Leaf,
  leavesOf,
  PERIOD,
  referenceSet,
  unsignedPackage,
} from './compliance-package.ts';

/** The counts of `ruledPackage`. */
const RULED_COUNTS: Record<AgentCount, number> = {
  ...{ receipts: 34, receipts_success: 34, receipts_refused: 0, receipts_terminated: 0, receipts_null: 0 },
  ...{ receipts_failed: 0, receipts_timed_out: 0, receipts_linked: 0, receipts_revoked: 0, agent_revoked: 1 },
  ...{ evidence: 5, evidence_failed: 0, changes: 0, traces: 0, deliverables: 0, revocations: 1 },
  ...{ incidents: 2, responses: 2, receipt_days: 20, log_days: 30, sponsors: 1 },
  ...{ receipts_open: 1, receipts_overdue: 0, receipts_abandoned: 0 },
  ...{ own_reports: 5, own_fails: 0 },
  ...{ assessor_pass: 0, assessor_fail: 0, assessor_days: 0 },
  ...{ key_events: 7, keys_compromised: 0, checkpoints: 10, checkpoints_cosigned: 0 },
};

/**
 * Returns the members of a genuine package of an agent for SOC 2 before it is signed: its statuses follow
 * from its counts by the rules of the framework.
 */
export function ruledPackage(): JsonObject {
  const revocations: Leaf[] = [
    ['revocations', 0],
    ['revocations', 1],
  ];
  const leaves = {
    actions: [...leavesOf.receipts, ...leavesOf.evidence],
    changes: [],
    incidents: revocations,
    receipts: leavesOf.receipts,
    reports: leavesOf.evidence,
  };
  const sets = Object.entries(leaves).map(([name, own]) => referenceSet(name, own));
  const byName = Object.fromEntries(sets.map((set) => [set.name, set]));
  const { controls: all, edition } = FRAMEWORKS.SOC2_TYPE2;
  const facts = { framework: 'SOC2_TYPE2', period: PERIOD, coverage: [COVERAGE] };
  const controls = all.map((control) => assess(control, control.agent, RULED_COUNTS, byName, facts));
  return {
    ...unsignedPackage('assessment', sets, Object.values(leaves).flat()),
    coverage: [COVERAGE],
    records: { [COVERAGE.records]: COVERAGE.count },
    framework: 'SOC2_TYPE2',
    framework_edition: edition,
    summary: summaryOf(controls),
    controls,
  };
}
