import type { ServerPart } from '../../../platform/module.ts';
import type { Running } from '../../http/serving.ts';
import { witnessMetrics } from './metrics.ts';
import type { Witnesses } from './witnesses.ts';

export const server = {
  tasks: ({ witnesses }: Running<unknown> & { witnesses: Witnesses }) => witnesses.tasks,
  metrics: ({ witnesses }: Running<unknown> & { witnesses: Witnesses }) => witnessMetrics(witnesses),
} satisfies ServerPart<never, never, never>;
