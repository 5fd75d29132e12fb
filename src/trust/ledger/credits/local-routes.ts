import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { TIERS } from '../../../../db/trust/ledger-enums.ts';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { ContextOf } from '../../http/serving.ts';
import { Balances, CreditPath, TierResponse } from './schema.ts';
import { showCredits } from './show.ts';
import { showUnclaimed } from './show-unclaimed.ts';

const { sandbox: _, ...figures } = Balances.properties;
const { subject_commitment, ...tier } = TierResponse.properties;

const AgentCreditsResponse = strictObject({
  subject_commitment,
  name: nullable(Type.String()),
  state: Type.String(),
  sponsor: nullable(Type.String()),
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

/** The local operations of credits. */
export const localCreditRoutes = (trust: ContextOf<typeof showCredits>) =>
  new Elysia()
    .get('/local/credits/unclaimed', () => showUnclaimed(trust), {
      response: { 200: UnclaimedResponse },
      detail: { operationId: 'showUnclaimed' },
    })
    .get('/local/agents/:id/credits', ({ params }) => showCredits(trust, params.id), {
      params: CreditPath,
      response: { 200: AgentCreditsResponse },
      detail: { operationId: 'showCredits' },
    });
