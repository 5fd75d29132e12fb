import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { ApiError } from '../../../src/platform/http/errors/errors.ts';
import { named, strictObject } from '../../../src/platform/http/schema.ts';
import { timestamp } from '../../../src/platform/time/clock.ts';
import { PUBLIC, problemIn, responses, WRITE } from '../../../src/trust/http/schema.ts';
import type { TrustServing } from '../../../src/trust/module.ts';
import { notesErrors } from './errors.ts';
import { notesEvents } from './events.ts';
import { notesSettings } from './settings.ts';
import { countNotes, insertNote } from './store.ts';

export const noteRoutes = ({ trust, auth, config }: TrustServing) =>
  new Elysia({ tags: ['Notes'] }).use(auth.keyed).post(
    '/api/v1/notes',
    async ({ body: { text }, principal: { authority, operatorSeq }, once, set }) => {
      const at = timestamp(trust.clock);
      // `once` repeats the first response to a request with the same Idempotency-Key; `x-idempotent` documents that.
      const kept = await trust.store.write(authority, (tx) =>
        once(tx, async () => {
          // For a code of the product: trustError('notes_full').
          if ((await countNotes(tx)) >= notesSettings.most.in(config)) throw new ApiError('notes_full');
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
      response: responses(
        {
          201: named('Note', strictObject({ text: Type.String(), at: Type.String() })),
          // A code of the product is listed below, as 'quota_exceeded' is.
          409: problemIn(notesErrors, ['notes_full']),
        },
        WRITE,
        PUBLIC,
        'quota_exceeded',
        'idempotency_key_reused',
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'keepNote',
        summary: 'Keep a note',
        description: 'As many as `notes.most` says.',
      },
    },
  );
