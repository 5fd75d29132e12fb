/** The types that are sent as evidence: they name the source and the kind of the payload. */
export const SENT_TYPES = [
  'github_push_webhook',
  'github_commit_payload',
  'github_issue_event',
  'compliance_report',
  'otel_genai_trace',
  'task_deliverable',
] as const;

export type SentType = (typeof SENT_TYPES)[number];

/** The types of evidence. An assessment of another agent has an operation of its own. */
export const SOURCE_TYPES = [...SENT_TYPES, 'assessment'] as const;

export type SourceType = (typeof SOURCE_TYPES)[number];
