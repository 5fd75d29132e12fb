import type { StoreCache } from '../../platform/store/cache/store-cache.ts';
import { identicon, SIDE } from './identicon.ts';
import { type Picture, picture } from './svg.ts';

/** What is shown of a hash: an identicon, or where the photo is that its agent set, as it may stand in a header. */
export type Avatar = Picture | { photo: string };

/** By hash, whether an agent has it or not. Whoever sets or clears an agent's photo tells by `changedIn(tx, commitment)`. */
export type Avatars = StoreCache<Avatar>;

/** The identicon of a hash as a picture by itself. */
export function drawAvatar(hash: string): Picture {
  return picture({
    width: SIDE,
    height: SIDE,
    title: `Identicon of ${hash.slice(0, 8)}`,
    description: `A pattern made from the hash ${hash} and from nothing else.`,
    content: identicon(hash),
  });
}
