import { Type } from '@sinclair/typebox';

/** The events about agents (specification, section 6). */
export const agentsEvents = {
  'enrollment.completed': Type.Object({
    subject_commitment: Type.String(),
    public_key: Type.String(),
    context: Type.String(),
  }),
};
