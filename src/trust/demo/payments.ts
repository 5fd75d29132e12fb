import { createHmac } from 'node:crypto';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { DEMO_API_KEY, DEMO_SETTLEMENT_SECRET, DEMO_WITHDRAWAL_ID } from '../http/example-ids.ts';
import type { DemoAgent } from './agents.ts';
import type { DemoClient } from './receipts.ts';

/** Settles payments to an agent, and has it pay a merchant and withdraw a part of what it earned. */
export async function earnAndPay({ ask, clock, ids }: DemoClient, { commitment }: DemoAgent): Promise<void> {
  const settle = (reference: string, credits: number, amount_label: string) => {
    const body = { rail: 'x402', reference, subject_commitment: commitment, credits, amount_label };
    const seconds = Math.floor(clock.now() / 1000);
    const code = createHmac('sha256', DEMO_SETTLEMENT_SECRET)
      .update(`${seconds}.${JSON.stringify(body)}`)
      .digest('hex');
    return ask('POST /api/v1/agent-pay/settlement', {
      key: DEMO_API_KEY,
      headers: { 'x-settlement-signature': `t=${seconds},v1=${code}` },
      body,
    });
  };
  await settle('x402_demo_1', 1800, '18.00 USDC');
  await settle('x402_demo_2', 2400, '24.00 USDC');
  await ask('POST /api/v1/agent-pay/spend', {
    key: DEMO_API_KEY,
    body: {
      subject_commitment: commitment,
      product: 'audit_package_generation',
      max_credits: 20,
      merchant: 'auditors.example',
      nonce: 'demonstration-payment-1',
      expires_at: timestampOf(clock.now() + 3_600_000),
    },
  });
  ids.reserve(DEMO_WITHDRAWAL_ID);
  await ask('POST /api/v1/agent-pay/withdraw', {
    key: DEMO_API_KEY,
    body: { subject_commitment: commitment, amount: 1000, reference: 'first withdrawal' },
  });
}
