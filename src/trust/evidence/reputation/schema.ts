import { type Static, Type } from '@sinclair/typebox';
import {
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../../platform/http/schema.ts';
import { signatureMembers, signedMembers, signedParameter } from '../../log/keys/signing/signed-responses.ts';
import { LEADERBOARD_ORDERS } from './leaderboard-store.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const rate = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 1, description: `${description}. null without outcomes.` }));

/** The metrics of an agent that the leaderboard and profiles show: its rates and score. */
export const METRICS = {
  success_rate: rate('The share of successes among the outcomes of 30 days, from 0 to 1, with four decimals'),
  failure_rate: rate('The share of failures: 1 − success_rate'),
  sample_size: count('The number of outcomes in the 30 days that the rates and the score cover.'),
  trajectory_7d: nullable(
    Type.Number({
      minimum: -1,
      maximum: 1,
      description:
        'success_rate minus the success_rate of the 30 days that ended 7 days ago. null if either period has no outcomes.',
    }),
  ),
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      'The lower bound with 95% confidence (Wilson interval), in percent, of the success rate of outcomes weighed by who attests them: ' +
      'corroborated 1, sponsored ½, self-signed failures 1 and successes 0.',
  }),
  score_corroborated: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'The same of corroborated outcomes only.',
  }),
  score_basis: named(
    'ScoreBasis',
    strictObject(
      {
        corroborated: count(
          'By others: accepted deliveries to other sponsors, work that the platform attests, listed assessors.',
        ),
        sponsored: count('Receipts of the sponsor.'),
        self_signed: count('Signed by nobody but the agent.'),
      },
      { description: 'The outcomes of the 30 days, by who attests them.' },
    ),
  ),
};

export const LeaderboardQuery = strictObject({
  sort: Type.Optional(
    oneOf(LEADERBOARD_ORDERS, { description: 'By the number of items (the default), or by score.' }),
  ),
  limit: limitParameter('Agents per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' })),
  ...signedParameter,
});

export const LeaderboardResponse = named(
  'Leaderboard',
  strictObject({
    agents: Type.Array(
      named(
        'Agent',
        strictObject({
          rank: Type.Integer({
            minimum: 1,
            description: 'The position in the whole list, from 1, counted across pages.',
          }),
          subject_commitment: hexString(32, "The agent's subject commitment."),
          name: nullable(Type.String({ description: 'The name of the agent. null if it has none.' })),
          evidence_count: count('Items of evidence since the agent enrolled.'),
          ...METRICS,
        }),
      ),
    ),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page. null on the last page.' }),
    ),
    ...signedMembers('leaderboard'),
    page: Type.Optional(
      strictObject(
        {
          sort: oneOf(LEADERBOARD_ORDERS, { description: 'The order of the request.' }),
          limit: Type.Integer({ minimum: 1, maximum: 100, description: 'Agents per page.' }),
          cursor: nullable(
            Type.String({ description: 'The cursor of the request. null for the first page.' }),
          ),
        },
        { description: 'The page that was requested. Only in a signed response.' },
      ),
    ),
    ...signatureMembers,
  }),
);

export type Leaderboard = Static<typeof LeaderboardQuery>;
