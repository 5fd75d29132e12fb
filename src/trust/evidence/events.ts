import { Type } from '@sinclair/typebox';
import { SOURCE_TYPES } from '../../../db/trust/evidence.ts';
import { oneOf } from '../../platform/http/schema.ts';

/** What is told of evidence (specification, section 6). */
export const evidenceEvents = {
  'evidence.anchored': Type.Object({
    event_commitment_hash: Type.String(),
    subject_commitment: Type.String(),
    source_type: oneOf(SOURCE_TYPES),
  }),
};
