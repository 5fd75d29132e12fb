import type { PHOTO_TYPES } from '../../../db/trust/agents-enums.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { newestPresentation } from './store.ts';

/** An agent's photo: the URL where it is hosted, and the SHA-256 of its bytes. */
export type Presentation = {
  photo_url: string;
  photo_content_sha256: string;
  photo_mime_type: (typeof PHOTO_TYPES)[number];
};

/** Returns an agent's current photo; null for none. */
export async function presentationIn(snapshot: Snapshot, agentSeq: number): Promise<Presentation | null> {
  const row = await newestPresentation(snapshot, agentSeq);
  if (row === null) return null;
  const { photoUrl, photoSha256, photoMimeType } = row;
  if (photoUrl === null || photoSha256 === null || photoMimeType === null) return null;
  return { photo_url: photoUrl, photo_content_sha256: photoSha256, photo_mime_type: photoMimeType };
}
