import { Type } from '@sinclair/typebox';

/** What is told of agents (specification, section 6). */
export const agentsEvents = {
  'enrollment.completed': Type.Object({
    subject_commitment: Type.String(),
    public_key: Type.String(),
    context: Type.String(),
  }),
};
