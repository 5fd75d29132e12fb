import { describe, expect, test } from 'bun:test';
import {
  membersIn,
  skillNamedBy,
  understander,
} from '../../../../../../src/trust/protocols/a2a/skills/plain-words.ts';
import { skills } from '../../../../../../src/trust/protocols/a2a/skills/skills.ts';

const RECEIPT = `rcpt_${'0a'.repeat(16)}`;
const AGENT = 'ab'.repeat(32);
const OPERATOR = 'op_cus_DemoInvoices000000000001';

describe('a plain text is about the one skill that it names:', () => {
  test.each([
    ['Verify this receipt, please', 'verify_receipt'],
    [`is ${RECEIPT} genuine?`, 'verify_receipt'],
    [`What is the reputation of ${AGENT}?`, 'lookup_reputation'],
    ['Show me its PROFILE', 'lookup_reputation'],
    [`May ${OPERATOR} act?`, 'check_gate'],
    ['ask the gate', 'check_gate'],
    ['Issue a credential about its reputation', 'issue_credential'],
    ['I want to hire an agent', 'hire_agent'],
    ['Hiring!', 'hire_agent'],
    ['I decline the hire', 'decline_hire'],
    ['Decline a receipt and hire', null],
    ['lookup_reputation', 'lookup_reputation'],
    ['use issue_credential for this receipt', 'issue_credential'],
    ['verify_receipt or check_gate', null],
    ['Hello', null],
    ['', null],
    ['Write a poem about hired hands', null],
    ['Verify the receipt and then hire an agent', null],
    ['the gatekeeper of receiptss', null],
  ])('%s', (text, skill) => {
    expect<string | null>(skillNamedBy(text)).toBe(skill);
    const found = skills.filter(({ understand }) => understand(text, false) !== null).map(({ id }) => id);
    expect(found).toEqual(skills.map(({ id }) => id).filter((id) => id === skill));
  });
});

describe('a plain text gives the members that it names once:', () => {
  test.each([
    ['a receipt', `verify ${RECEIPT}.`, { receipt_id: RECEIPT }],
    ['the same receipt twice', `${RECEIPT} and ${RECEIPT}`, { receipt_id: RECEIPT }],
    ['two receipts, which is none', `${RECEIPT} and ${RECEIPT.replace('a', 'b')}`, {}],
    ['a receipt with a digit too many, which is none', `${RECEIPT}0`, {}],
    ['an agent', `(${AGENT})`, { subject_commitment: AGENT }],
    ['an agent in capitals, which is none', AGENT.toUpperCase(), {}],
    [
      'an operator and a domain',
      `${OPERATOR} in CODE_GENERATION`,
      { operator_id: OPERATOR, domain: 'CODE_GENERATION' },
    ],
    ['two domains, which is none', 'CODE_GENERATION or CUSTOMER_SUPPORT', {}],
  ])('%s', (_, text, members) => {
    expect(membersIn(text, ['receipt_id', 'operator_id', 'subject_commitment', 'domain'])).toEqual(members);
  });

  test('only those of its skill', () => {
    const understand = understander('verify_receipt', ['receipt_id']);
    expect(understand(`the receipt ${RECEIPT} of ${AGENT}`, false)).toEqual({ receipt_id: RECEIPT });
  });

  test('also without the name of the skill, once the task is about it', () => {
    const understand = understander('lookup_reputation', ['subject_commitment']);
    expect([understand(AGENT, false), understand(AGENT, true)]).toEqual([
      null,
      { subject_commitment: AGENT },
    ]);
  });
});

test('a text of a megabyte is understood in a moment', () => {
  const text = `rcpt_${'0'.repeat(500_000)} ${'a'.repeat(500_000)}`;
  const start = performance.now();
  for (const { understand } of skills) understand(text, true);
  expect(performance.now() - start).toBeLessThan(500);
});

test('every skill is described, and its examples call it', () => {
  for (const { id, name, description, tags, examples, input, understand } of skills) {
    expect([name, description, tags.join()].every((text) => text.length > 0)).toBe(true);
    expect(input.additionalProperties).toBe(false);
    for (const example of examples) {
      const called = example.startsWith('{') ? JSON.parse(example).skill : understand(example, false) && id;
      expect([example, called]).toEqual([example, id]);
    }
  }
});
