/** What an item of evidence may be: who made its payload, and for what. */
export const SOURCE_TYPES = [
  'github_push_webhook',
  'github_commit_payload',
  'github_issue_event',
  'compliance_report',
  'otel_genai_trace',
  'task_deliverable',
] as const;

export type SourceType = (typeof SOURCE_TYPES)[number];
