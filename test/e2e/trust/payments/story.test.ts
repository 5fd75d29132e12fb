import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

const page = pageOf('payments.md');
const needed = ['bash', 'curl', 'jq', 'openssl', 'xxd'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)('docs/payments.md: the story of an agent runs word for word', async () => {
  const secret = randomBytes(32).toString('hex');
  const { said } = await runStory(shellBlocks(page), {
    SECRET: secret,
    COUNTERSIGN_PAYMENTS_SETTLEMENT_X402_SECRET: secret,
  });
  const [, settled = '', paid = '', checked = '', withdrawn = '', confirmed = ''] = said;
  const [first, again, wallet] = settled.trim().split('\n');
  expect(first).toContain('"status":"credited"');
  expect(again).toBe(String(first));
  expect(wallet).toContain('"available":2500,"locked":0,"withdrawable":2500');
  expect(paid).toContain('{"credits_charged":10,"remaining_credits":2490}');
  const [digest, paymentDigest, verdict] = checked.trim().split('\n');
  expect(digest).toBe(String(paymentDigest));
  expect(verdict).toBe('Signature Verified Successfully');
  expect(withdrawn).toMatch(/^queued\n/);
  expect(withdrawn).toContain('"available":490,"locked":2000,"withdrawable":490');
  expect(withdrawn).toContain('valid');
  expect(confirmed).toContain('"available":490,"locked":0,"withdrawable":490');
  expect(confirmed).toContain('"ok":true,"problems":0,"only":["ledger"]');
});
