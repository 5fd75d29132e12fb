import { type Static, Type } from '@sinclair/typebox';
import { TIERS } from '../../../../db/trust/ledger-enums.ts';
import {
  characters,
  dateTime,
  described,
  hexString,
  named,
  nullable,
  oneOf,
  reasonText,
  strictObject,
} from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT, OTHER_EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { AgentAuthShape } from '../../agents/schema.ts';
import { AgentState } from '../../http/enumerations.ts';
import { UNCLAIMED } from '../accounts.ts';
import { agentJournal, pages } from '../journals/schema.ts';
import { walletAddressFields } from '../wallets/schema.ts';
import { EVALUATION_REASONS } from './access-tier.ts';

/** The kinds of a transfer between agents. The first one is the default. */
export const TRANSFER_KINDS = ['TASK_PAYMENT', 'PEER_GIFT'] as const;

/** The largest amount of credits. */
const MOST = Number.MAX_SAFE_INTEGER;

const commitment = hexString(32, "The agent's subject commitment.");
const payer = {
  ...Type.String({
    pattern: `^(?:[0-9a-f]{64}|${UNCLAIMED.name})$`,
    description:
      'The agent that pays. Admin keys: `unclaimed` for credits of revoked agents that had no sponsor.',
  }),
  'x-message': `must be 64 lower-case hexadecimal characters, or ${UNCLAIMED.name}`,
};
const amount = {
  ...Type.Integer({ minimum: 1, maximum: MOST, description: 'Credits, at least 1.' }),
  'x-message': `must be an integer from 1 to ${MOST}`,
};
const figure = (description: string) => Type.Integer({ minimum: 0, maximum: MOST, description });
/** Controls, separators of lines and paragraphs, and controls of the direction of text. */
const NOT_IN_MEMOS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const memo = {
  ...characters(
    256,
    NOT_IN_MEMOS,
    'A note for both parties. The public journal contains only its salted digest.',
    'Invoices of May',
  ),
  'x-message':
    'must be 1 to 256 characters, none of them a control character, a separator of lines or a control of the direction of text',
};

export const CreditPath = strictObject({
  id: Type.String({
    maxLength: 256,
    description: "The agent's subject commitment.",
    examples: [EXAMPLE_COMMITMENT],
  }),
});

export const GrantRequest = named(
  'CreditGrantRequest',
  strictObject(
    {
      subject_commitment: described(commitment, 'The agent that gets the credits. It must be enrolled.'),
      amount,
      memo: Type.Optional(memo),
    },
    { examples: [{ subject_commitment: EXAMPLE_COMMITMENT, amount: 100, memo: 'Invoices of May' }] },
  ),
);

const TransferKind = named(
  'TransferKind',
  oneOf(TRANSFER_KINDS, {
    description:
      'The kind of the transfer. Default `TASK_PAYMENT`. A transfer from `unclaimed` has none: it is an `ADJUSTMENT`.',
  }),
);

export const TransferRequest = named(
  'CreditTransferRequest',
  strictObject(
    {
      from_commitment: payer,
      to_commitment: described(commitment, 'The agent that is paid. It must be another one, and enrolled.'),
      amount,
      kind: Type.Optional(TransferKind),
      memo: Type.Optional(memo),
      agent_auth: Type.Optional(AgentAuthShape),
    },
    {
      examples: [
        {
          from_commitment: EXAMPLE_COMMITMENT,
          to_commitment: OTHER_EXAMPLE_COMMITMENT,
          amount: 5,
          memo: 'Invoices of May',
        },
      ],
    },
  ),
);

const figures = {
  granted: figure('What operators granted, over all time.'),
  earned: figure('What others paid to the agent, over all time.'),
  spent: figure(
    'What the agent paid, over all time, including what returned to the pool after it was revoked.',
  ),
  locked: figure('What is in escrow, or reserved for withdrawals.'),
  available: figure('What the agent can spend: granted + earned − spent − locked.'),
};

const SandboxFigures = named(
  'SandboxCredits',
  strictObject(figures, {
    description: 'Credits from tests of payments. They never count for the tier.',
  }),
);

const balances = {
  ...figures,
  sandbox: Type.Optional(described(SandboxFigures, 'Only if the agent ever had sandbox credits.')),
};

export const Balances = named(
  'CreditBalances',
  strictObject(balances, { description: 'The credits of an agent: paid and promotional ones together.' }),
);

export const MovedResponse = named(
  'CreditMovement',
  strictObject({
    transaction_id: Type.String({ description: 'The id of the transaction: `txn_…`.' }),
    kind: oneOf(['OPERATOR_GRANT', ...TRANSFER_KINDS, 'ADJUSTMENT'], {
      description: 'The kind of the movement.',
    }),
    amount,
    balances: Balances,
  }),
);

export const CreditsResponse = named(
  'AgentCredits',
  strictObject({ subject_commitment: commitment, ...balances }),
);

export const JournalResponse = named(
  'CreditJournal',
  strictObject({ subject_commitment: commitment, ...agentJournal, ...pages }),
);

const Tier = named('AccessTierName', oneOf(TIERS, { description: 'An access tier, highest first.' }));

const evaluation_reason = named(
  'EvaluationReason',
  oneOf(EVALUATION_REASONS, {
    description:
      'Why the agent has its tier: its balance, `credit_inactive` (the agent is revoked or frozen, or its sponsor is not active), or ' +
      '`admin_override`.',
  }),
);

export const TierResponse = named(
  'AccessTier',
  strictObject({
    subject_commitment: commitment,
    tier: described(Tier, 'The tier that applies now.'),
    evaluated_tier: described(Tier, 'The tier of the balance, when it was last evaluated.'),
    override_tier: nullable(described(Tier, 'The tier that an administrator set. null if none is set.')),
    evaluation_reason,
    evaluated_at: nullable(
      dateTime('The time of the last movement or evaluation. null if there was none yet.'),
    ),
  }),
);

export const EvaluateRequest = named(
  'EvaluateAccessRequest',
  strictObject(
    { subject_commitment: commitment },
    { examples: [{ subject_commitment: EXAMPLE_COMMITMENT }] },
  ),
);

export const OverrideRequest = named(
  'OverrideAccessRequest',
  strictObject(
    {
      subject_commitment: commitment,
      tier: {
        ...nullable(Tier),
        description: 'The tier that applies from now on. null ends the override.',
        'x-message': `must be one of ${TIERS.join(', ')}, or null`,
      },
      reason: reasonText('Why. It is stored, and never public.'),
    },
    {
      examples: [
        { subject_commitment: EXAMPLE_COMMITMENT, tier: 'LIMITED', reason: 'Under review until Friday' },
      ],
    },
  ),
);

const live = {
  subject_commitment: commitment,
  state: AgentState,
  balances: Balances,
  tier: described(Tier, 'The tier that applies now.'),
  evaluation_reason,
  credit_state: oneOf(['active', 'inactive'], {
    description:
      '`inactive` if the agent is revoked or frozen, or its sponsor is not active: it can spend nothing.',
  }),
  as_of: dateTime('The time of these values.'),
};

export const LiveResponse = named('PassportLive', strictObject(live));

export const GovernanceResponse = named(
  'Governance',
  strictObject({
    subject_commitment: commitment,
    wallet: nullable(named('Wallet', strictObject(walletAddressFields))),
    live: LiveResponse,
    access_tier: TierResponse,
    entries: { ...pages.entries, description: 'The newest 20 entries of the credit journal.' },
  }),
);

export type GrantRequest = Static<typeof GrantRequest>;
export type TransferRequest = Static<typeof TransferRequest>;
export type OverrideRequest = Static<typeof OverrideRequest>;
export type MovedResponse = Static<typeof MovedResponse>;
