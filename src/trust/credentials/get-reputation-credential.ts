import type { Store } from '../../platform/store/store.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import { dayOf } from '../evidence/reputation/score.ts';
import { issueTime } from '../log/clock/dates.ts';
import type { SigningKey } from '../log/keys/signing/signer.ts';
import { refuseReadOnly } from '../log/keys/signing/statements.ts';
import type { CredentialCache, SignedText } from './cache.ts';
import { whenCovered } from './coverage.ts';
import { REUSE_MS } from './insertion.ts';
import {
  type IssueContext,
  type Issued,
  issueContentIn,
  issueCredentialIn,
  newestCheckpoints,
  requireCoveredIn,
  requireCurrentAgentIn,
  reusableIn,
  signed,
} from './issue.ts';
import { requestedContentIn } from './requested-content.ts';

/**
 * Returns the credential of an agent as it is sent, from the cache if nothing changed.
 * @throws ApiError not_found for an agent that never enrolled, agent_not_enrolled for a revoked one;
 * clock_wrong; overloaded while no checkpoint covers the newest leaf of the agent; ReadOnly
 */
export function getReputationCredential(
  trust: IssueContext & { store: Store; credentialCache: CredentialCache },
  commitment: string,
): SignedText | Promise<SignedText> {
  const { clock, signer, credentialCache } = trust;
  const known = credentialCache.credentials.get(commitment);
  if (known !== null && isCurrent(known, clock.now(), signer.activeKey('credentials'))) return known;
  refuseReadOnly(trust);
  return credentialCache.credentials.load(commitment, async () => textOf(await issue(trust, commitment)));
}

function isCurrent({ from, until, keySeq }: SignedText, now: number, key: SigningKey): boolean {
  return from <= now && now < until && keySeq === key.keySeq;
}

/**
 * Returns a credential as text. It may be sent until it is issued again, or until the day ends: then its
 * metrics can change.
 */
function textOf({ document, credentialId, validFrom, readAt, keySeq }: Issued): SignedText {
  const from = Date.parse(validFrom);
  const until = Math.min(from + REUSE_MS, (dayOf(readAt) + 1) * DAY_MS);
  return { json: JSON.stringify(document), etag: `"${credentialId}"`, from, until, keySeq };
}

function issue(trust: IssueContext & { store: Store }, commitment: string): Promise<Issued> {
  const { store, signer } = trust;
  const readNow = async () => {
    // Before the snapshot is opened, so that the credential covers everything stored until its time.
    const now = issueTime(trust);
    return store.read(async (snapshot) => {
      const content = await requestedContentIn(
        snapshot,
        trust,
        await requireCurrentAgentIn(snapshot, commitment),
        now,
      );
      const reusable = await reusableIn(snapshot, content);
      // Most requests find a current credential, so they need no transaction.
      if (reusable !== null) return { reused: signed(trust, content, reusable) };
      return { reused: null, content, checkpoints: await requireCoveredIn(snapshot, trust, content) };
    });
  };
  return whenCovered(trust, async (earlier) => {
    const read =
      earlier === null
        ? await readNow()
        : { reused: null, content: earlier, checkpoints: newestCheckpoints(trust) };
    if (read.reused !== null) return read.reused;
    return store.writeAsService(async (tx) => {
      const agent = await requireCurrentAgentIn(tx, commitment);
      // The key may have been replaced meanwhile. The numbers may have changed too: they are those of the
      // time that the credential says.
      if (signer.activeKey('credentials').keySeq !== read.content.key.keySeq)
        return issueCredentialIn(tx, trust, agent);
      return issueContentIn(tx, trust, read.content, () => read.checkpoints);
    });
  });
}
