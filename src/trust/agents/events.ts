import { Type } from '@sinclair/typebox';
import { nullable } from '../../platform/http/schema.ts';

/** The events about agents. `enrollment.completed` is the specification's (section 6). */
export const agentsEvents = {
  'enrollment.completed': Type.Object({
    subject_commitment: Type.String(),
    public_key: Type.String(),
    context: Type.String(),
  }),
  'agent.frozen': Type.Object({
    subject_commitment: Type.String(),
    reason: Type.String(),
  }),
  'agent.revoked': Type.Object({
    subject_commitment: Type.String(),
    reason: nullable(Type.String()),
  }),
  'agent.unfrozen': Type.Object({ subject_commitment: Type.String() }),
};
