import type { ControlStatus, PackageKind } from './format.ts';

/**
 * The rules of packages of version 1, by kind and framework: the id of a control, the set that it cites, the
 * counts that it requires (1 or as many as it says), those that must be 0 for more than partial, others that
 * it shows, and the best status. A control without a set is not assessed. Services make no more of them.
 */
const EARLIER_RULES = `
assessment NIST_AI_RMF
GOVERN 1.4|actions|actions checkpoints|||partial
GOVERN 1.6|actions|actions sponsors|||satisfied
GOVERN 2.1|receipts|receipts sponsors|||partial
MAP 1.1|receipts|receipts|||partial
MAP 3.5|interventions|interventions||receipts_refused receipts_terminated receipts_revoked agent_revoked|partial
MEASURE 2.3|actions|actions measured_days||receipts_success receipts_failed evidence_failed|satisfied
MEASURE 2.4|actions|receipts traces||receipts_failed evidence_failed|satisfied
MEASURE 2.7|reports|reports|||partial
MEASURE 2.8|actions|actions checkpoints checkpoints_cosigned|keys_compromised|receipts_linked|satisfied
MEASURE 2.12|
MANAGE 4.1|actions|actions measured_days|||partial
MANAGE 4.3|incidents|incidents responses||receipts_failed evidence_failed receipts_revoked agent_revoked|partial
assessment EU_AI_ACT
Art. 12|actions|receipts evidence||traces checkpoints|satisfied
Art. 14|interventions|interventions||receipts_refused receipts_terminated receipts_revoked agent_revoked|partial
Art. 15|actions|actions measured_days||receipts_success receipts_failed evidence_failed|partial
Art. 19|actions|actions log_days>=184||checkpoints|satisfied
Art. 26(6)|receipts|receipts log_days>=184 sponsors|||satisfied
Annex XI, Section 1, point 2(e)|
assessment SOC2_TYPE2
CC2.1|actions|actions checkpoints||receipts evidence|satisfied
CC4.1|actions|measured_days reports|||satisfied
CC6.1|actions|actions sponsors|keys_compromised|key_events|partial
CC7.1|changes|changes|||partial
CC7.2|actions|receipts traces measured_days||receipts_failed evidence_failed|satisfied
CC7.3|incidents|incidents responses||receipts_failed evidence_failed|partial
CC7.4|incidents|incidents responses||receipts_revoked agent_revoked|partial
CC8.1|changes|changes|||partial
A1.1|receipts|receipts||receipts_timed_out|partial
A1.2|reports|reports|||partial
PI1.1|receipts|receipts|||partial
PI1.2|receipts|receipts||receipts_linked|partial
PI1.3|receipts|receipts receipts_success|receipts_failed receipts_terminated receipts_null|receipts_refused|satisfied
PI1.4|actions|receipts_success deliverables|||partial
PI1.5|actions|actions checkpoints checkpoints_cosigned|keys_compromised||satisfied
assessment ISO_42001
A.4.5|
A.5.2|reports|reports|||partial
A.6.2.4|results|reports deliverables|||partial
A.6.2.6|actions|receipts traces measured_days||receipts_failed evidence_failed|satisfied
A.6.2.7|changes|changes|||partial
A.6.2.8|actions|receipts evidence checkpoints||traces|satisfied
A.8.4|incidents|incidents||receipts_failed evidence_failed receipts_revoked agent_revoked|partial
A.9.2|receipts|receipts sponsors|||partial
A.9.3|actions|measured_days||receipts_success receipts_failed evidence_failed|partial
A.9.4|receipts|receipts||receipts_refused|partial
A.10.3|deliverables|deliverables|||partial
datacenter NIST_AI_RMF
MEASURE 2.12|energy|energy_hardware_measured facility_energy carbon_intensity||energy declared simulated instances measured_days|satisfied
MANAGE 4.1|telemetry|telemetry measured_days||thermal_audits setpoint_changes simulated|partial
datacenter EU_AI_ACT
Annex XI, Section 1, point 2(e)|energy|energy energy_hardware_measured||declared simulated facility_energy instances measured_days|satisfied
datacenter ISO_14064
ISO 14064-1, 5.2.4|energy|energy carbon_intensity||instances|partial
ISO 14064-1, 6.2.2|energy|energy energy_hardware_measured||declared simulated measured_days|satisfied
ISO 14064-1, 6.3|energy|facility_energy carbon_intensity||renewable_energy|satisfied
ISO 14064-1, 8.2|telemetry|telemetry||hardware_measured declared|satisfied
ISO 14064-2, 6.8|avoided|avoided||simulated|partial
`;

/** A rule of an earlier package. */
export interface EarlierRule {
  set: string;
  /** The counts that the control must have. */
  counts: readonly string[];
  requires: readonly { count: string; at_least: number }[];
  unless: readonly string[];
  best: string;
}

/**
 * Returns the rule of a control in packages of version 1; null if nothing assesses it, undefined if it is not
 * known.
 */
export function earlierRuleOf(
  { kind, framework }: { kind: PackageKind; framework: string },
  id: string,
): EarlierRule | null | undefined {
  const lines = EARLIER_RULES.split('\n');
  const start = lines.indexOf(`${kind} ${framework}`) + 1;
  if (start === 0) return undefined;
  const own = lines.slice(start);
  const end = own.findIndex((line) => !line.includes('|'));
  const line = own.slice(0, end).find((one) => one.startsWith(`${id}|`));
  if (line === undefined) return undefined;
  const [, set = '', requires = '', unless = '', shows = '', best = ''] = line.split('|');
  if (set === '') return null;
  const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');
  const required = wordsOf(requires).map((word) => {
    const [count = '', least = '1'] = word.split('>=');
    return { count, at_least: Number(least) };
  });
  const counts = [...required.map(({ count }) => count), ...wordsOf(unless), ...wordsOf(shows)];
  return { set, counts, requires: required, unless: wordsOf(unless), best };
}

/** Returns the status that a rule of an earlier package gives. @param references the size of its set */
export function earlierStatusOf(
  { requires, unless, best }: EarlierRule,
  counts: Readonly<Record<string, number>>,
  references: number,
): ControlStatus {
  const met = requires.filter(({ count, at_least }) => (counts[count] ?? 0) >= at_least).length;
  if (references === 0 || met === 0) return 'not_assessed';
  const isClear = met === requires.length && unless.every((count) => counts[count] === 0);
  return isClear && best === 'satisfied' ? 'satisfied' : 'partial';
}

/** Returns the status that reports gave to a control of an earlier audit package. */
export function earlierAuditStatus({ pass, fail }: { pass: number; fail: number }): ControlStatus {
  if (fail > 0) return 'partial';
  return pass > 0 ? 'satisfied' : 'not_assessed';
}
