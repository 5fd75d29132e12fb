import { Type } from '@sinclair/typebox';
import { timestamp } from '../../../src/platform/clock.ts';
import { Action } from '../../../src/platform/control/action.ts';
import { strictObject } from '../../../src/platform/http/schema.ts';
import type { Trust } from '../../../src/trust/context.ts';
import type { TrustServer } from '../../../src/trust/module.ts';
import { noteRoutes } from './routes.ts';
import { countNotes, deleteNotesBefore } from './store.ts';

export const server = {
  routes: (serving) => [noteRoutes(serving)],
  tasks: ({ trust: { store, clock } }) => [
    {
      name: 'forget old notes',
      everyMs: 60_000,
      deletesByDate: true,
      run: () => store.writeAsService((tx) => deleteNotesBefore(tx, timestamp(clock))),
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
  actions: [
    new Action({
      name: 'notes.count',
      input: strictObject({}),
      output: Type.Integer(),
      run: ({ store }: Pick<Trust, 'store'>) => store.read(countNotes),
    }),
  ],
} satisfies TrustServer;
