import type { StoreCache } from '../../../platform/store/cache/store-cache.ts';
import { identicon, SIDE } from './identicon.ts';
import { type Picture, picture } from './svg.ts';

/** The avatar of a hash: an identicon, or the URL of the agent's photo in the form of a Location header. */
export type Avatar = Picture | { photo: string };

/**
 * Avatars by hash, including hashes without an agent. A command that changes an agent's photo calls
 * `changedIn(tx, commitment)`.
 */
export type Avatars = StoreCache<Avatar>;

/** Draws the identicon of a hash as an SVG document. */
export function drawAvatar(hash: string): Picture {
  return picture({
    width: SIDE,
    height: SIDE,
    title: `Identicon of ${hash.slice(0, 8)}`,
    description: `A pattern made from the hash ${hash} and from nothing else.`,
    content: identicon(hash),
  });
}
