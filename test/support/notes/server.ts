import { timestamp } from '../../../src/platform/time/clock.ts';
import type { TrustServer } from '../../../src/trust/service/module.ts';
import { localNoteRoutes } from './local-routes.ts';
import { noteRoutes } from './routes.ts';
import { countNotes, deleteNotesBefore } from './store.ts';

export const server = {
  routes: (serving) => [noteRoutes(serving)],
  localRoutes: (serving) => [localNoteRoutes(serving)],
  tasks: ({ trust: { store, clock } }) => [
    {
      name: 'forget old notes',
      everyMs: 60_000,
      waitsForClock: true,
      run: async () => {
        await store.writeAsService((tx) => deleteNotesBefore(tx, timestamp(clock)));
      },
    },
  ],
  metrics: ({ trust: { store } }) => [
    {
      name: 'countersign_notes',
      help: 'Notes that are kept.',
      labels: [],
      read: async () => [{ labels: {}, value: await store.read(countNotes) }],
    },
  ],
} satisfies TrustServer;
