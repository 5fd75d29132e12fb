/** The types of evidence: they name the source and the kind of the payload. */
export const SOURCE_TYPES = [
  'github_push_webhook',
  'github_commit_payload',
  'github_issue_event',
  'compliance_report',
  'otel_genai_trace',
  'task_deliverable',
] as const;

export type SourceType = (typeof SOURCE_TYPES)[number];
