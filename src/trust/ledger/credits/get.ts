import type { Store } from '../../../platform/store/store.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import { noSuchAgent } from '../../agents/agents.ts';
import { publicFiguresByCommitment } from '../balances.ts';

/** Returns an agent's figures, as JSON. @throws ApiError not_found for an agent that never enrolled */
export async function getCredits({ store }: { store: Store }, commitment: string): Promise<string> {
  return store.read(async (snapshot) => {
    const figures = isHex(commitment, 32) ? await publicFiguresByCommitment(snapshot, commitment) : null;
    if (figures === null) throw noSuchAgent();
    return JSON.stringify({ subject_commitment: commitment, ...figures });
  });
}
