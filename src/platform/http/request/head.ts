/**
 * The answer to HEAD by that to GET: without the body, and with its length, since another length would be wrong (RFC 9110
 * section 8.6) and the runtime states that of what it is given. What is empty is left to it: a 304 has no length at all.
 */
export async function headResponse(whole: Response): Promise<Response> {
  const head = new Response(null, whole);
  const { byteLength } = await whole.arrayBuffer();
  if (byteLength > 0) head.headers.set('content-length', String(byteLength));
  return head;
}
