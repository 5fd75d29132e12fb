import type { ServerPart } from '../../platform/module.ts';
import { importActions } from './actions.ts';
import { type ImportMetricServices, importMetrics } from './metrics.ts';

export const server = {
  actions: importActions,
  metrics: ({ staffing }: { staffing: ImportMetricServices }) => importMetrics(staffing),
} satisfies ServerPart<never, never, never>;
