/** The frameworks for the package of an agent by its receipts and evidence. The first is the default. */
export const ASSESSMENT_FRAMEWORKS = ['NIST_AI_RMF', 'EU_AI_ACT', 'SOC2_TYPE2', 'ISO_42001'] as const;
/** The frameworks for the package of an agent by compliance reports. The first is the default. */
export const AUDIT_FRAMEWORKS = ['SOC2_TYPE2', 'ISO_27001', 'ISO_42001'] as const;
/** The frameworks for the package of a cluster. The first is the default. */
export const CLUSTER_FRAMEWORKS = ['EU_AI_ACT', 'ISO_14064', 'NIST_AI_RMF'] as const;

export const FRAMEWORK_IDS = [
  'NIST_AI_RMF',
  'EU_AI_ACT',
  'SOC2_TYPE2',
  'ISO_42001',
  'ISO_27001',
  'ISO_14064',
] as const;
export type FrameworkId = (typeof FRAMEWORK_IDS)[number];

/** The UTC days that a period must touch for `satisfied`; 1 if it is not here. */
export const MIN_DAYS: Readonly<Partial<Record<string, number>>> = { SOC2_TYPE2: 90 } satisfies Partial<
  Record<FrameworkId, number>
>;

/** The usual short names. */
export const FRAMEWORK_NAMES: Readonly<Record<FrameworkId, string>> = {
  NIST_AI_RMF: 'NIST AI RMF',
  EU_AI_ACT: 'EU AI Act',
  SOC2_TYPE2: 'SOC 2',
  ISO_42001: 'ISO/IEC 42001',
  ISO_27001: 'ISO/IEC 27001',
  ISO_14064: 'ISO 14064',
};
