import { type AgoraContext, noSuchProposal, PROPOSAL_ID } from './negotiate.ts';
import { type ProposalView, proposalJson, proposalView } from './representation.ts';
import { stepsOf } from './store.ts';

/** Returns a proposal with its steps as JSON text. @throws ApiError not_found */
export async function readProposal(
  context: Pick<AgoraContext, 'store'>,
  proposalId: string,
): Promise<string> {
  return proposalJson(await getProposal(context, proposalId));
}

/** Returns a proposal with its steps. @throws ApiError not_found */
export async function getProposal(
  { store }: Pick<AgoraContext, 'store'>,
  proposalId: string,
): Promise<ProposalView> {
  if (!PROPOSAL_ID.test(proposalId)) throw noSuchProposal();
  const steps = await store.read((snapshot) => stepsOf(snapshot, proposalId));
  const last = steps.at(-1);
  if (last === undefined) throw noSuchProposal();
  return proposalView(last, steps);
}
