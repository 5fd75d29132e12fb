import { Type } from '@sinclair/typebox';
import { oneOf, strictObject } from '../../platform/http/schema.ts';
import { DOMAINS } from '../../proof/receipt/receipt.ts';
import { GATE_REASONS } from './verdict.ts';

export const GateRequest = strictObject(
  {
    operator_id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: "The operator's public id.",
      'x-complaint': 'must be 1 to 128 characters',
    }),
    domain: oneOf(DOMAINS, { description: 'The operational domain that the agent is to act in.' }),
  },
  { examples: [{ operator_id: `op_cus_${'0'.repeat(24)}`, domain: 'CODE_GENERATION' }] },
);

export const GateAnswer = strictObject({
  allow_invocation: Type.Boolean({ description: 'Whether the operator may act.' }),
  reason: oneOf(GATE_REASONS, { description: 'OK, or why not.' }),
});
