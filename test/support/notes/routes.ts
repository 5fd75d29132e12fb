import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { named, strictObject } from '../../../src/platform/http/schema.ts';
import { timestamp } from '../../../src/platform/time/clock.ts';
import type { TrustServing } from '../../../src/trust/service/module.ts';
import { notesErrors } from './errors.ts';
import { notesEvents } from './events.ts';
import { notesSettings } from './settings.ts';
import { countNotes, insertNote } from './store.ts';

export const noteRoutes = ({ trust, auth, config }: TrustServing) =>
  new Elysia({ tags: ['Notes'] }).use(auth.keyed).post(
    '/api/v1/notes',
    async ({ body: { text }, principal: { authority, operatorSeq }, once, set }) => {
      const at = timestamp(trust.clock);
      // `once` repeats the first response to a request with the same Idempotency-Key; `x-idempotent`
      // documents that.
      const kept = await trust.store.write(authority, (tx) =>
        once(tx, async () => {
          if ((await countNotes(tx)) >= notesSettings.most.in(config)) throw notesErrors.notes_full();
          await insertNote(tx, { operatorSeq, text, at });
          trust.events.emitIn(tx, notesEvents, {
            event: 'note.kept',
            data: { text },
            timestamp: at,
            operators: [operatorSeq],
          });
          return { text, at };
        }),
      );
      set.status = 201;
      return kept;
    },
    {
      keyed: 'issuer',
      body: strictObject(
        { text: Type.String({ minLength: 1, maxLength: 200 }) },
        { examples: [{ text: 'call back' }] },
      ),
      response: { 201: named('Note', strictObject({ text: Type.String(), at: Type.String() })) },
      detail: { operationId: 'keepNote', 'x-idempotent': true },
    },
  );
