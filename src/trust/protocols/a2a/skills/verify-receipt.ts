import { Type } from '@sinclair/typebox';
import { strictObject } from '../../../../platform/http/schema.ts';
import { commonErrors } from '../../../http/errors.ts';
import { DEMO_RECEIPT_ID } from '../../../http/example-ids.ts';
import { verifyReceipt, verifyReceiptById } from '../../../receipts/verify.ts';
import { defineSkill } from './define-skill.ts';
import { understander } from './plain-words.ts';

/** The problems of a malformed receipt that the task stores, and the characters of each. */
const MOST_PROBLEMS = 20;
const LONGEST_PROBLEM = 300;

const input = strictObject({
  receipt_id: Type.Optional(
    Type.String({
      pattern: '^rcpt_[0-9a-f]{32}$',
      description: 'The id of a receipt of this service.',
      'x-message': 'must be rcpt_ and 32 lower-case hexadecimal characters',
    }),
  ),
  receipt: Type.Optional(
    Type.Object({}, { description: 'A receipt as somebody showed it to you: the whole JSON object.' }),
  ),
});

/** Verifies a receipt by the keys and the log of the service. */
export const verifyReceiptSkill = defineSkill({
  id: 'verify_receipt',
  name: 'Verify a receipt',
  description:
    'Says whether a receipt is authentic, unchanged, not revoked and not expired. Send `receipt`, the receipt that somebody showed to ' +
    'you, or `receipt_id`. The data of the result has the verdict, its checks and the current status.',
  tags: ['receipts', 'verification', 'trust'],
  examples: [
    `Verify the receipt ${DEMO_RECEIPT_ID}`,
    JSON.stringify({ skill: 'verify_receipt', receipt_id: DEMO_RECEIPT_ID }),
  ],
  input,
  understand: understander('verify_receipt', ['receipt_id']),
  alternatives: ['receipt_id', 'receipt'],
  ask: () =>
    'Which receipt? Send its receipt_id (rcpt_ and 32 hexadecimal characters), or data with `receipt`: the whole JSON object. One of them.',
  async run({ trust }, { receipt, receipt_id }) {
    if ((receipt === undefined) === (receipt_id === undefined)) {
      const problem =
        receipt === undefined ? 'is required, or receipt' : 'must be absent when receipt is given';
      throw commonErrors.validation_error({ issues: { receipt_id: [problem] } });
    }
    const result = await (receipt_id === undefined
      ? verifyReceipt(trust, { ...receipt })
      : verifyReceiptById(trust, receipt_id));
    const problems = result.problems.slice(0, MOST_PROBLEMS).map((one) => one.slice(0, LONGEST_PROBLEM));
    return {
      state: 'completed',
      text: `${result.verdict}: ${result.description}`,
      data: { ...result, checks: { ...result.checks }, problems },
    };
  },
});
