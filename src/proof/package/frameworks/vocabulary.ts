import type { LogName } from '../../log/log-names.ts';

/** A set of log entries that controls cite. */
export interface SetDefinition {
  /** What is in it. A package shows this sentence. */
  description: string;
  /** The logs that its entries are in. */
  logs: readonly LogName[];
}

/**
 * The sets of an agent. Its receipts are those that count for its reputation: agent_id is its commitment and
 * its sponsor finalized them. Receipts belong to a period by finalized_at, evidence by anchored_at,
 * revocations by revoked_at (agents: at).
 */
export const AGENT_SETS = {
  actions: {
    description: 'Finalized receipts and evidence of the agent in the period.',
    logs: ['receipts', 'evidence'],
  },
  receipts: { description: 'Finalized receipts of the agent in the period.', logs: ['receipts'] },
  changes: {
    description: 'Evidence of the agent from GitHub in the period: pushes, commits and events of issues.',
    logs: ['evidence'],
  },
  reports: {
    description:
      'Compliance reports of the agent for this framework that say pass or fail for the control which cites this set. They are about a part of the period.',
    logs: ['evidence'],
  },
  results: {
    description:
      'Deliverables of the agent in the period, and its compliance reports that say pass or fail for the control which cites this set.',
    logs: ['evidence'],
  },
  incidents: {
    description:
      'Failed receipts of the agent, its evidence of failures, revocations of its receipts, and its own, in the period. A receipt ' +
      'failed if it has an error tranche, or ended with a timeout or a failure tombstone.',
    logs: ['receipts', 'revocations', 'evidence'],
  },
} as const satisfies Record<string, SetDefinition>;

export type AgentSet = keyof typeof AGENT_SETS;

/** The set of the assessments that count in the package of an agent. */
export const ASSESSMENTS_SET = 'assessments';

/** The set of an audit package. */
export const AUDIT_SETS = {
  assessing_reports: {
    description:
      'Compliance reports of the agent for this framework in the period, and assessments of listed assessors.',
    logs: ['evidence'],
  },
} as const satisfies Record<string, SetDefinition>;

/**
 * The sets of a cluster: the receipts of its telemetry, as entries of the log of receipts. A window belongs
 * to a period by its end.
 */
export const CLUSTER_SETS = {
  telemetry: {
    description:
      'Receipts of the telemetry of the cluster in the period that is hardware-measured or declared, without avoided carbon.',
    logs: ['receipts'],
  },
  energy: {
    description:
      'Receipts of the hardware-measured or declared telemetry of the cluster in the period whose energy counts.',
    logs: ['receipts'],
  },
  avoided: {
    description: 'Receipts of the hardware-measured or declared avoided carbon of the cluster in the period.',
    logs: ['receipts'],
  },
} as const satisfies Record<string, SetDefinition>;

export type ClusterSet = keyof typeof CLUSTER_SETS;

/** The counts of an agent over a period, with their description. */
export const AGENT_COUNTS = {
  receipts: 'Finalized receipts.',
  receipts_success: 'Receipts that ended with success and were not revoked before the package was made.',
  receipts_refused: 'Receipts that ended with refusal.',
  receipts_terminated: 'Receipts that ended with terminal, graceful_shutdown, timeout or failure_tombstone.',
  receipts_null: 'Receipts that ended with null.',
  receipts_failed:
    'Receipts with an error tranche other than NONE, and those that ended with timeout or failure_tombstone.',
  receipts_timed_out: 'Receipts that ended with timeout or have the error tranche COMPUTE_TIMEOUT.',
  receipts_linked: 'Receipts that name the receipt before them by prev_receipt_hash.',
  receipts_open: 'Receipts issued before the end of the period, or of the package, that are still pending.',
  receipts_overdue: 'Those of them that were issued more than 30 days before the package was made.',
  receipts_abandoned:
    'Receipts that in the period were revoked while pending, or became pending for 30 days or past their expiry.',
  receipts_revoked: 'Finalized receipts that were revoked before the package was made.',
  revocations: 'Revocations of receipts of the agent.',
  agent_revoked: '1 if the agent was revoked in the period, else 0.',
  evidence: 'Items of evidence. Each is signed by the agent and linked to the one before it.',
  evidence_failed: 'Items of evidence with the outcome failure.',
  changes: 'Items from GitHub: pushes, commits and events of issues.',
  traces: 'Items of the type otel_genai_trace.',
  deliverables: 'Items of the type task_deliverable.',
  incidents: 'Failed receipts, failed evidence, revocations of receipts, and of the agent.',
  responses:
    'Slashes of more than 0 cents for receipts of the agent, revocations of receipts, and of the agent.',
  receipt_days: 'UTC days with a finalized receipt.',
  log_days:
    'Whole days from the first entry of the agent in a log to the end of the period, or to the package if that is earlier.',
  sponsors: '1 if an operator is responsible for the agent, else 0.',
  key_events: 'Events of signing keys of the service up to the end of the period.',
  keys_compromised:
    'Signing keys of the service that were reported as compromised up to the end of the period.',
  checkpoints: 'Published checkpoints of the log of receipts in the period, as far as they are kept.',
  checkpoints_cosigned: 'Those of these checkpoints that independent witnesses cosigned.',
  own_reports:
    'Compliance reports of the agent for this framework, about a part of the period, that say pass or fail for the control.',
  own_fails: 'Those of them that say fail.',
  assessor_pass: 'Assessments of the control by listed assessors that say pass, of a period that overlaps.',
  assessor_fail:
    'Those that say fail, unless a later one of the same assessor says pass, with evidence, for all of their period.',
  assessor_days:
    'UTC days of the period, since the enrollment of the agent, that assessments which say pass and name evidence are of.',
} as const;

export type AgentCount = keyof typeof AGENT_COUNTS;

/** What assessors say of a control. */
const ASSESSOR_COUNTS = ['assessor_pass', 'assessor_fail', 'assessor_days'] as const;

export type AssessorCount = (typeof ASSESSOR_COUNTS)[number];

/** The counts that each control has of its own: what reports of the agent and assessors say of it. */
export const OWN_COUNTS = ['own_reports', 'own_fails', ...ASSESSOR_COUNTS] as const;

export type OwnCount = (typeof OWN_COUNTS)[number];

/** The counts of a cluster over a period, with their description. */
export const CLUSTER_COUNTS = {
  telemetry: 'Items of hardware-measured and declared telemetry, without avoided carbon.',
  hardware_measured: 'Items that an enrolled instrument signed.',
  declared: 'Items that the operator declared.',
  simulated: 'Items of simulated telemetry. They meet no requirement.',
  energy: 'Hardware-measured and declared items whose energy counts.',
  energy_hardware_measured: 'Hardware-measured items whose energy counts.',
  facility_energy: 'Items with the energy of the IT equipment and of the facility.',
  carbon_intensity: 'Items with energy and a carbon intensity of the grid above 0.',
  renewable_energy: 'Items with renewable energy.',
  instances: 'Instances with hardware-measured or declared telemetry.',
  measured_days: 'UTC days with hardware-measured or declared telemetry.',
  thermal_audits: 'Items of the type THERMAL_SAFETY_AUDIT.',
  setpoint_changes: 'Items of the type POLICY_SETPOINT_TRANSITION.',
  avoided: 'Hardware-measured and declared items of avoided carbon.',
} as const;

export type ClusterCount = keyof typeof CLUSTER_COUNTS;
