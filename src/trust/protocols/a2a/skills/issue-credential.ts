import { Type } from '@sinclair/typebox';
import { hexString, strictObject } from '../../../../platform/http/schema.ts';
import { isJsonObject, type JsonObject, parseCanonicalJson } from '../../../../proof/encoding/json.ts';
import { EXAMPLE_COMMITMENT } from '../../../agents/example-agent.ts';
import { LeavesUncovered, noCheckpoint } from '../../../credentials/coverage.ts';
import { getReputationCredential } from '../../../credentials/get-reputation-credential.ts';
import { coveredNow } from '../../../credentials/issue.ts';
import { issueMeteredIn } from '../../../credentials/metered/issue.ts';
import { commonErrors } from '../../../http/errors.ts';
import { callerOf } from './caller.ts';
import { defineSkill } from './define-skill.ts';
import { understander } from './plain-words.ts';

const input = strictObject({
  subject_commitment: hexString(32, 'The subject commitment of the agent.'),
  metered: Type.Optional(
    Type.Boolean({ description: 'Whether to pay for it. The result then has a meter receipt too.' }),
  ),
  payer_commitment: Type.Optional(
    hexString(32, 'Only with `metered`: another agent that pays, which the key may debit.'),
  ),
});

/** Returns the current credential of an agent, either free or charged with a meter receipt. */
export const issueCredentialSkill = defineSkill({
  id: 'issue_credential',
  name: 'Issue a credential',
  description:
    'Returns the current W3C credential about the reputation of an agent. Send `subject_commitment`. It is free, the same as `GET ' +
    '/api/v1/credentials/{commitment}`. With `metered: true` (and optionally `payer_commitment`) it is charged and has a meter receipt, ' +
    'the same as `POST /api/v1/metered/credentials/{commitment}`. Plain text is never charged.',
  tags: ['credentials', 'reputation', 'verifiable-credentials'],
  examples: [
    `Issue a credential for ${EXAMPLE_COMMITMENT}`,
    JSON.stringify({ skill: 'issue_credential', subject_commitment: EXAMPLE_COMMITMENT }),
  ],
  input,
  understand: understander('issue_credential', ['subject_commitment']),
  ask: (issues) =>
    issues.subject_commitment === undefined && (issues.payer_commitment ?? issues.metered) !== undefined
      ? 'To pay for the credential, send metered: true, and optionally payer_commitment.'
      : 'Of which agent? Send its subject_commitment: 64 lower-case hexadecimal characters.',
  async run(call, { subject_commitment: commitment, metered = false, payer_commitment: payer = null }) {
    if (payer !== null && !metered)
      throw commonErrors.validation_error({ issues: { payer_commitment: ['is only for metered: true'] } });
    if (!metered) {
      const { json } = await getReputationCredential(call.trust, commitment);
      const credential = parseCanonicalJson(json);
      if (!isJsonObject(credential)) throw new Error('a credential is not an object');
      return { state: 'completed', text: textOf(credential), data: credential };
    }
    // Waits for the checkpoints that the credential cites, which a transaction cannot.
    const content = await coveredNow(call.trust, commitment);
    return async (tx) => {
      try {
        const order = { commitment, payer };
        const issued = await issueMeteredIn(tx, call.trust, callerOf(call), order, content);
        const { credits_charged: charged } = issued.meter_receipt;
        return {
          state: 'completed',
          text: `${charged} credits were charged. ${textOf(issued.credential)}`,
          data: issued,
        };
      } catch (error) {
        // The key was replaced and a leaf of the agent added meanwhile. Nothing is charged.
        throw error instanceof LeavesUncovered ? noCheckpoint() : error;
      }
    };
  },
});

function textOf({ validUntil }: JsonObject): string {
  return `The credential is valid until ${validUntil}. Verify it with any verifier of W3C credentials (eddsa-jcs-2022).`;
}
