/** The states of A2A tasks, as A2A 0.3 writes them. The last four end a task. */
export const TASK_STATES = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** The generations in whose words push notifications are sent. */
export const PUSH_FORMS = ['0.1', '0.3', '1.0'] as const;
export type PushForm = (typeof PUSH_FORMS)[number];
