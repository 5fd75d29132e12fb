import { type Static, Type } from '@sinclair/typebox';
import { described, named, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { Domain } from '../../http/enumerations.ts';
import { DEMO_OPERATOR_ID } from '../../http/example-ids.ts';
import { signatureMembers, signedMembers } from '../../log/keys/signing/signed-responses.ts';
import { GATE_REASONS } from './verdict.ts';

export const GateReason = named(
  'GateReason',
  oneOf(GATE_REASONS, { description: '`OK` if the operator may act, else the rule that denies it.' }),
);

const operatorId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'The public id of the operator: `op_cus_…`.',
  'x-message': 'must be 1 to 128 characters',
});

/** The path of what is about one operator. */
export const OperatorPath = strictObject({ id: operatorId });

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });

export const AbandonedShare = named(
  'AbandonedShare',
  strictObject(
    {
      abandoned: count(
        'How many of them were abandoned: revoked while pending, or pending for 30 days or past their expiry.',
      ),
      of: count('The newest receipts within the window that were finalized or abandoned, at most 100.'),
    },
    { description: 'Receipts that nobody finalized. Finalizing one later takes it out.' },
  ),
);

export const GateRequest = named(
  'VerifyGateRequest',
  strictObject(
    {
      operator_id: operatorId,
      domain: described(Domain, 'The operational domain in which the agent will act.'),
    },
    { examples: [{ operator_id: DEMO_OPERATOR_ID, domain: 'CODE_GENERATION' }] },
  ),
);

export const GateResponse = named(
  'GateVerdict',
  strictObject({
    allow_invocation: Type.Boolean({
      description: 'Whether the operator may act: true only with the reason `OK`.',
    }),
    reason: GateReason,
    abandoned: described(AbandonedShare, 'Of the receipts of the domain, without blind ones.'),
    blind: strictObject(
      {
        breaches: count('How many of them are SLA breaches that were not pardoned.'),
        of: count('The newest 20 within the window.'),
      },
      { description: 'Blind receipts of all domains. They do not change the decision.' },
    ),
    ...signedMembers('gate-decision'),
    operator_id: Type.Optional(
      Type.String({ description: 'The operator_id of the request. Only in a signed response.' }),
    ),
    domain: Type.Optional(described(Domain, 'The domain of the request. Only in a signed response.')),
    ...signatureMembers,
  }),
);

export type GateRequest = Static<typeof GateRequest>;
