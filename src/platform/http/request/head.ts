/**
 * Returns the response to HEAD from the response to GET: without the body but with its length. The runtime would state the length of the
 * empty body, which is wrong (RFC 9110 section 8.6). An empty response is unchanged: a 304 has no length.
 */
export async function headResponse(whole: Response): Promise<Response> {
  const head = new Response(null, whole);
  const { byteLength } = await whole.arrayBuffer();
  if (byteLength > 0) head.headers.set('content-length', String(byteLength));
  return head;
}
