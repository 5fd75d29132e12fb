import { judgeProposal } from '../../agora/verdict.ts';
import type { Judge } from '../values/judgement.ts';

/** Judges a saved AGORA proposal, which proves itself. */
export const judgeProposalKind: Judge = (primitives, document) => {
  const result = judgeProposal(primitives, document);
  const { verdict, proposal } = result;
  return {
    isValid: verdict === 'valid',
    result,
    kind: 'agora',
    facts:
      proposal === null
        ? []
        : [
            `${proposal.proposal_id} is ${proposal.status}`,
            `proposed by agent ${proposal.from_commitment} to agent ${proposal.to_commitment}`,
            `terms: ${JSON.stringify(proposal.terms)}`,
          ],
  };
};
