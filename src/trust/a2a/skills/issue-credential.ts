import { hexString, strictObject } from '../../../platform/http/schema.ts';
import { isJsonObject, parseCanonicalJson } from '../../../proof/encoding/json.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { getCredential } from '../../credentials/issue.ts';
import { defineSkill } from './define-skill.ts';
import { understander } from './plain-words.ts';

const input = strictObject({
  subject_commitment: hexString(32, 'The subject commitment of the agent.'),
});

/** Returns the current credential of an agent, which everybody may have. */
export const issueCredentialSkill = defineSkill({
  id: 'issue_credential',
  name: 'Issue a credential',
  description:
    'Returns the current W3C credential about the reputation of an agent, signed and free: the same as `GET /api/v1/credentials/{commitment}`. Send ' +
    '`subject_commitment`. For one that is paid, with a meter receipt, use `POST /api/v1/metered/credentials/{commitment}`.',
  tags: ['credentials', 'reputation', 'verifiable-credentials'],
  examples: [
    `Issue a credential for ${EXAMPLE_COMMITMENT}`,
    JSON.stringify({ skill: 'issue_credential', subject_commitment: EXAMPLE_COMMITMENT }),
  ],
  input,
  understand: understander('issue_credential', ['subject_commitment']),
  ask: () => 'Of which agent? Send its subject_commitment: 64 lower-case hexadecimal characters.',
  async run({ trust }, { subject_commitment }) {
    const { json } = await getCredential(trust, subject_commitment);
    const data = parseCanonicalJson(json);
    if (!isJsonObject(data)) throw new Error('a credential is not an object');
    return {
      state: 'completed',
      text: `The credential is valid until ${data.validUntil}. Verify it with any verifier of W3C credentials (eddsa-jcs-2022).`,
      data,
    };
  },
});
