import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../../../src/proof/encoding/json.ts';
import {
  decide,
  questionOf,
  withReference,
} from '../../../../../../src/trust/protocols/a2a/tasks/parsed-message.ts';

const RECEIPT = `rcpt_${'0a'.repeat(16)}`;
const AGENT = 'ab'.repeat(32);

const said = (text: string, data: JsonObject | null = null, skill: string | null = null) => ({
  text,
  data,
  skill,
});

describe('a question says what is wrong, and then asks for what is missing:', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['verify_receipt', { receipt_id: 'rcpt_1' }, /^receipt_id must be rcpt_ and 32 .*\. Which receipt\?/],
    ['verify_receipt', { receipt_id: RECEIPT, foo: 1 }, /^foo is not a known field\. Send the data again/],
    ['check_gate', { domain: 'X' }, /^domain must be one of .*\. Which operator\? .* In which domain\?/],
    ['issue_credential', { subject_commitment: AGENT, metered: 'yes' }, /^metered must be boolean\. To pay/],
    ['issue_credential', { metered: 'yes' }, /^metered must be boolean\. Of which agent\?/],
    ['hire_agent', {}, /^Send the terms as data\. worker_commitment is required; amount is required\. /],
    [
      'hire_agent',
      { worker_commitment: AGENT, amount: 0, amout: 5 },
      /^amout is not a known field; amount must be an integer from 1 .*\. Send the terms as data\. Example: /,
    ],
  ])('%s with %j', (id, data, expected) => {
    const { question } = decide({ skill: null, input: {} }, said('', data, id));
    expect(question?.text).toMatch(expected);
  });

  test('issue_credential with a payer and nothing to pay for', () => {
    const { skill } = decide({ skill: 'issue_credential', input: {} }, said(AGENT));
    if (skill === null) throw new Error('no skill was decided on');
    const { text } = questionOf(skill, { payer_commitment: ['is only for metered: true'] });
    expect(text).toStartWith('payer_commitment is only for metered: true. To pay for the credential, ');
  });
});

test('the id of a skill, which the service has listed, answers the question which skill is meant', () => {
  const { question, skill } = decide({ skill: null, input: {} }, said('lookup_reputation'));
  expect([skill?.id, question?.text]).toEqual([
    'lookup_reputation',
    'Whose reputation? Send the subject_commitment of the agent: 64 lower-case hexadecimal characters.',
  ]);
});

test('a receipt replaces the receipt_id of an earlier message, and so the other way round', () => {
  const receipt = { a: 1 };
  const known = (input: JsonObject) => ({ skill: 'verify_receipt', input });
  expect(decide(known({ receipt_id: RECEIPT }), said('', { receipt })).input).toEqual({ receipt });
  expect(decide(known({ receipt }), said(RECEIPT)).input).toEqual({ receipt_id: RECEIPT });
  expect(decide(known({ receipt }), said('go on')).input).toEqual({ receipt });
});

describe('a message that refers to a hire', () => {
  test.each([
    ['exactly the word', said(' Decline. ')],
    ['the word for this skill', said('decline', null, 'decline_hire')],
    ['the action', said('', { action: 'Decline' })],
    ['the action for this skill', said('', { action: 'decline', skill: 'decline_hire' }, 'decline_hire')],
  ])('declines it by %s', (_, message) => {
    expect(withReference(message, ['a2a_1'])).toEqual({
      text: '',
      skill: 'decline_hire',
      data: { task_id: 'a2a_1' },
    });
  });

  test.each([
    ['the word for another skill', said('Decline.', null, 'lookup_reputation')],
    ['the action for another skill', said('', { action: 'decline' }, 'check_gate')],
    ['the action beside words', said('Do not end this.', { action: 'decline' })],
    ['the action with other members', said('', { action: 'decline', amount: 5 })],
    ['more than the word', said('decline it?')],
  ])('means what it says by %s', (_, message) => {
    expect(withReference(message, ['a2a_1'])).toBe(message);
  });
});
