import { StoreCache } from '../../../platform/store/cache/store-cache.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { findAgentIn } from '../../agents/agents.ts';
import { presentationIn } from '../../agents/presentation.ts';
import { type Avatar, type Avatars, drawAvatar } from './avatar.ts';

/** An avatar takes 1.5 KB of memory. */
const AVATARS_CACHED = 4096;

/** Opens the cache of avatars. */
export function openAvatars(store: Store): Avatars {
  return new StoreCache(store, avatarIn, AVATARS_CACHED);
}

async function avatarIn(snapshot: Snapshot, hash: string): Promise<Avatar> {
  const agent = await findAgentIn(snapshot, hash);
  const presentation = agent === null ? null : await presentationIn(snapshot, agent.agentSeq);
  const url = URL.parse(presentation?.photo_url ?? '');
  return url?.protocol === 'https:' ? { photo: url.href } : drawAvatar(hash);
}
