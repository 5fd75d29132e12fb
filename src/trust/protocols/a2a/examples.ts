import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';
import { wholeCard } from './card/card.ts';

/** The service of the examples. */
const FACTS = { url: 'https://trust.example', version: '0.1.0' };

/** Responses of the operations, as a service returned them. */
export const examples: OperationExamples = {
  getAgentCardOf03: {
    '200': {
      ...wholeCard(FACTS, '0.3'),
      signatures: [
        {
          protected:
            'eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiJCdVFveG5iZDJsNEY3WThyWG5ZaUJVYVVHOWJ4aFN3aTA5NlJmQXktQkdnIiwiamt1IjoiaHR0cDovLzEyNy4wLjAuMTozMDAwLy53ZWxsLWtub3duL2p3a3MuanNvbiJ9',
          signature: '0gQMemAL2RF7b6MybEWT2Mr-UXSHOyZDQuFkY-eD6M9ch3TSRGj7F2AY5IzY1gw25fBjgFk6HOlOpVT1ZoNiDQ',
        },
      ],
    },
  },
  getAgentCard: {
    '200': {
      ...wholeCard(FACTS, '1.0'),
      signatures: [
        {
          protected:
            'eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiJCdVFveG5iZDJsNEY3WThyWG5ZaUJVYVVHOWJ4aFN3aTA5NlJmQXktQkdnIiwiamt1IjoiaHR0cDovLzEyNy4wLjAuMTozMDAwLy53ZWxsLWtub3duL2p3a3MuanNvbiJ9',
          signature: 'LyFC9M89wb8XMYXoy5Hwltle3bw_oG7gt4KEMA0fqTL0pjWSA0jUFTCb7q7qLT7kxZNskRiRBXxj76A86bIiDw',
        },
        {
          protected:
            'eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiJCdVFveG5iZDJsNEY3WThyWG5ZaUJVYVVHOWJ4aFN3aTA5NlJmQXktQkdnIiwiamt1IjoiaHR0cDovLzEyNy4wLjAuMTozMDAwLy53ZWxsLWtub3duL2p3a3MuanNvbiJ9',
          signature: 'nuHSDh8GScSuhXVb7sVCyZsXG4Iqx4gWiusGFwlmJIsFHXb6VHHNtko6ggXGURLgzU4l5yPckMuMIQajX8cqCw',
        },
      ],
    },
  },
  callA2a: {
    '200': {
      jsonrpc: '2.0',
      id: 1,
      result: {
        task: {
          id: 'a2a_01a2048d5a53760ebe613a6bba77f6ae',
          contextId: 'ctx_01a2048d5a56731e86bc9a19a4673063',
          status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-11-22T18:38:22.294Z' },
          artifacts: [
            {
              artifactId: 'art_01a2048d5a56731fabe805f195ad378f',
              name: 'lookup_reputation',
              parts: [
                {
                  text: 'The agent 8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73 is ISSUED. Score 75 of 100. Success rate 0.881 in the last 30 days, of 42 items.',
                  mediaType: 'text/plain',
                },
                {
                  data: {
                    subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
                    state: 'ISSUED',
                    name: 'Invoice clerk',
                    presentation: null,
                    totals: { evidence_count: 37, artifact_count: 19, failure_count: 5, receipts_count: 19 },
                    rolling_30d: { success_rate: 0.881, failure_rate: 0.119, sample_size: 42 },
                    trajectory_7d: -0.026,
                    score: 75,
                  },
                  mediaType: 'application/json',
                },
              ],
            },
          ],
          history: [
            {
              messageId: '9c1a2d0e-5d5c-4b1f-8d1e-0a4f2f6b7c11',
              contextId: 'ctx_01a2048d5a56731e86bc9a19a4673063',
              taskId: 'a2a_01a2048d5a53760ebe613a6bba77f6ae',
              role: 'ROLE_USER',
              parts: [
                {
                  data: {
                    skill: 'lookup_reputation',
                    subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
                  },
                  mediaType: 'application/json',
                },
              ],
            },
          ],
          metadata: { taskId: 'a2a_01a2048d5a53760ebe613a6bba77f6ae', skill: 'lookup_reputation' },
        },
      },
    },
  },
};
