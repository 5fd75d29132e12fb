import { Type } from '@sinclair/typebox';
import { Action } from '../../../src/platform/control/action.ts';
import { strictObject } from '../../../src/platform/http/schema.ts';
import type { Store } from '../../../src/platform/store/store.ts';
import { countNotes } from './store.ts';

/** Counts the notes of all operators. */
export const countAction = new Action({
  name: 'notes.count',
  input: strictObject({}),
  output: Type.Integer(),
  run: ({ store }: { store: Store }) => store.read(countNotes),
});
