import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { CREDIT_CLASSES, TIERS } from '../../../../db/trust/ledger-enums.ts';
import { characters, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { Frozen } from '../../agents/freeze-schema.ts';
import type { ContextOf } from '../../http/serving.ts';
import { clawBack } from './claw-back.ts';
import { Balances, CreditPath, MovedResponse, TierResponse } from './schema.ts';
import { showCredits } from './show.ts';
import { showUnclaimed } from './show-unclaimed.ts';

const { sandbox: _, ...figures } = Balances.properties;
const { subject_commitment, ...tier } = TierResponse.properties;

const AgentCreditsResponse = strictObject({
  subject_commitment,
  name: nullable(Type.String()),
  state: Type.String(),
  sponsor: nullable(Type.String()),
  frozen: Frozen,
  credits: strictObject({
    promotional: strictObject(figures),
    paid: strictObject(figures),
    sandbox: strictObject(figures),
  }),
  ...tier,
  newest_override: nullable(
    strictObject({
      tier: nullable(oneOf(TIERS)),
      reason: Type.String(),
      operator_id: nullable(Type.String()),
      created_at: Type.String(),
    }),
  ),
});

const UnclaimedResponse = strictObject({
  promotional: figures.available,
  paid: figures.available,
  sandbox: figures.available,
});

const ClawBackRequest = strictObject({
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  class: Type.Optional(oneOf(CREDIT_CLASSES)),
  reason: characters(256, '\\u0000-\\u001f\\u007f-\\u009f', 'Why.', 'disputed payment'),
});

/** The local operations of credits. */
export const localCreditRoutes = (trust: ContextOf<typeof showCredits> & ContextOf<typeof clawBack>) =>
  new Elysia()
    .post('/local/agents/:id/claw-back', ({ params, body }) => clawBack(trust, params.id, body), {
      params: CreditPath,
      body: ClawBackRequest,
      response: { 200: MovedResponse },
      detail: { operationId: 'clawBack' },
    })
    .get('/local/credits/unclaimed', () => showUnclaimed(trust), {
      response: { 200: UnclaimedResponse },
      detail: { operationId: 'showUnclaimed' },
    })
    .get('/local/agents/:id/credits', ({ params }) => showCredits(trust, params.id), {
      params: CreditPath,
      response: { 200: AgentCreditsResponse },
      detail: { operationId: 'showCredits' },
    });
