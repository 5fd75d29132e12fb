import type { ServerPart } from '../../../platform/module.ts';
import type { Running } from '../../http/serving.ts';
import type { LastingActs } from './lasting-acts.ts';

export const server = {
  tasks: ({ trust: { acts } }: Running<{ acts: LastingActs }>) => [
    {
      name: 'keep what a restore must not undo',
      everyMs: 10_000,
      waitsForClock: false,
      run: () => acts.keep(),
    },
  ],
} satisfies ServerPart<never, never, never>;
