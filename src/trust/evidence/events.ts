import { Type } from '@sinclair/typebox';
import { oneOf } from '../../platform/http/schema.ts';
import { SOURCE_TYPES } from '../../proof/evidence/source-types.ts';

/** The events about evidence (specification, section 6). */
export const evidenceEvents = {
  'evidence.anchored': Type.Object({
    event_commitment_hash: Type.String(),
    subject_commitment: Type.String(),
    source_type: oneOf(SOURCE_TYPES),
  }),
};
