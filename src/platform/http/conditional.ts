/** Whether an If-None-Match header names this entity tag (RFC 9110 section 13.1.2). */
export function namesTag(header: string | null | undefined, etag: string): boolean {
  if (header === undefined || header === null) return false;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
