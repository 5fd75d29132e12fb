import type { TrustServer } from '../module.ts';
import { witnessFigures } from './figures.ts';

export const server: TrustServer = {
  tasks: ({ witnesses }) => witnesses.jobs,
  metrics: ({ trust, witnesses }) => witnessFigures(trust, witnesses),
};
