import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { strictObject } from '../../../src/platform/http/schema.ts';
import type { TrustServing } from '../../../src/trust/service/module.ts';
import { countNotes } from './store.ts';

/** The local operations of notes. */
export const localNoteRoutes = ({ trust: { store } }: TrustServing) =>
  new Elysia().get('/local/notes', async () => ({ notes: await store.read(countNotes) }), {
    response: { 200: strictObject({ notes: Type.Integer() }) },
    detail: { operationId: 'countNotes' },
  });
