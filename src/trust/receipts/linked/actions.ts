import { Type } from '@sinclair/typebox';
import { Action } from '../../../platform/control/action.ts';
import { strictObject } from '../../../platform/http/schema.ts';
import { LinkedResponse } from './schema.ts';
import { type LinkContext, setLinkedOf } from './set-linked.ts';

export const linkAction = new Action({
  name: 'operators.link',
  input: strictObject({ operator: Type.String({ minLength: 1, maxLength: 128 }), linked: Type.Boolean() }),
  output: LinkedResponse,
  run: (context: LinkContext, { operator, linked }) => setLinkedOf(context, operator, linked),
});

export const linkedActions = [linkAction];
