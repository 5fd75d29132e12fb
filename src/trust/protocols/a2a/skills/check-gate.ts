import { DOMAINS } from '../../../../proof/receipt/receipt.ts';
import { DEMO_OPERATOR_ID } from '../../../http/example-ids.ts';
import { GateRequest } from '../../../receipts/gate/schema.ts';
import { verifyGate } from '../../../receipts/gate/verify.ts';
import { defineSkill } from './define-skill.ts';
import { understander } from './plain-words.ts';

/** Checks whether an operator may act in a domain. */
export const checkGateSkill = defineSkill({
  id: 'check_gate',
  name: 'Check the gate',
  description:
    'Says whether an operator may act in a domain, and why not. Send `operator_id` and `domain`. The same as `POST /api/v1/gate/verify`.',
  tags: ['gate', 'operators', 'trust'],
  examples: [
    `Does the gate allow ${DEMO_OPERATOR_ID} in CODE_GENERATION?`,
    JSON.stringify({ skill: 'check_gate', operator_id: DEMO_OPERATOR_ID, domain: 'CODE_GENERATION' }),
  ],
  input: GateRequest,
  understand: understander('check_gate', ['operator_id', 'domain']),
  ask: (issues) =>
    [
      ...(issues.operator_id === undefined ? [] : ['Which operator? Send its operator_id (op_cus_…).']),
      ...(issues.domain === undefined ? [] : [`In which domain? Send one of ${DOMAINS.join(', ')}.`]),
    ].join(' ') || 'Send operator_id and domain.',
  async run({ trust }, { operator_id, domain }) {
    const { signed: _signed, ...decision } = await verifyGate(trust, { operator_id, domain }, {});
    const { allow_invocation, reason } = decision;
    return {
      state: 'completed',
      text: allow_invocation
        ? `The gate allows this operator in ${domain}.`
        : `The gate denies this operator in ${domain}: ${reason}.`,
      data: { operator_id, domain, ...decision },
    };
  },
});
