import { hexString, strictObject } from '../../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../../../agents/example-agent.ts';
import { getProfile } from '../../../evidence/profiles/get.ts';
import { defineSkill } from './define-skill.ts';
import { understander } from './plain-words.ts';

const input = strictObject({
  subject_commitment: hexString(32, 'The subject commitment of the agent.'),
});

/** Looks the reputation of an agent up: its public profile without the timeline. */
export const lookupReputationSkill = defineSkill({
  id: 'lookup_reputation',
  name: 'Look up a reputation',
  description:
    'Returns the reputation of an agent: score, rates over 30 days, totals and state, as its public profile has them. Send ' +
    '`subject_commitment`. It is free.',
  tags: ['reputation', 'agents', 'trust'],
  examples: [
    `What is the reputation of ${EXAMPLE_COMMITMENT}?`,
    JSON.stringify({ skill: 'lookup_reputation', subject_commitment: EXAMPLE_COMMITMENT }),
  ],
  input,
  understand: understander('lookup_reputation', ['subject_commitment']),
  ask: () =>
    'Whose reputation? Send the subject_commitment of the agent: 64 lower-case hexadecimal characters.',
  async run({ trust }, { subject_commitment }) {
    // The timeline would be stored with every task. It is in the profile.
    const { timeline: _, signed: __, ...profile } = await getProfile(trust, subject_commitment, {});
    const { success_rate, sample_size } = profile.rolling_30d;
    const measured =
      success_rate === null
        ? 'Nothing was counted in the last 30 days.'
        : `Success rate ${success_rate} in the last 30 days, of ${sample_size} items.`;
    // Without the name, which the agent chose and which could be instructions to the reader.
    const text = `The agent ${subject_commitment} is ${profile.state}. Score ${profile.score ?? 'none'} of 100. ${measured}`;
    return { state: 'completed', text, data: profile };
  },
});
