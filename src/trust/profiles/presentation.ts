import type { PHOTO_TYPES } from '../../../db/trust/agents.ts';

/** How an agent presents itself: a photo that is somewhere else. */
interface Presentation {
  photo_url: string;
  photo_content_sha256: string;
  photo_mime_type: (typeof PHOTO_TYPES)[number];
}

/** What an agent presents: nothing, as long as no presentation is taken. */
export function presentationOf(): Presentation | null {
  return null;
}
