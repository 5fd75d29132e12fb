import { Type } from '@sinclair/typebox';
import { oneOf } from '../../../platform/http/schema.ts';
import { AGORA_ACTIONS } from '../../../proof/agora/negotiation.ts';

/** The event about proposals: an agent took a step. */
export const agoraEvents = {
  'agora.proposal': Type.Object({
    proposal_id: Type.String(),
    action: oneOf(AGORA_ACTIONS),
    /** Who took the step, and the other party. */
    from_commitment: Type.String(),
    to_commitment: Type.String(),
  }),
};
