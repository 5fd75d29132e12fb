import { Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2, zlibInflateReset } from 'pako';

/** A window of 32 KiB, and 16 for gzip with its checksums, as zlib's inflateInit2 has it. */
const GZIP_ONLY = 15 + 16;

/**
 * Decompresses gzip (RFC 1952): one member or several, and nothing after them. zlib in JavaScript does it, so
 * that the executable and a browser say the same of a text.
 * @param max the bytes that it returns at most: a short text can describe gigabytes
 * @throws RangeError for other bytes, for a wrong checksum, and for a longer result
 */
export function gunzip(bytes: Uint8Array, max: number): Uint8Array {
  const stream = new ZStream();
  zlibInflateInit2(stream, GZIP_ONLY);
  // The byte more shows a result that is too long.
  const room = max + 1;
  Object.assign(stream, {
    input: bytes,
    avail_in: bytes.length,
    output: new Uint8Array(room),
    avail_out: room,
  });
  do {
    zlibInflateReset(stream);
    const ended = zlibInflate(stream, Z_FINISH) === Z_STREAM_END;
    if (stream.avail_out === 0) throw new RangeError('the result is too long');
    if (!ended) throw new RangeError(stream.msg === '' ? 'the gzip is cut' : `not gzip: ${stream.msg}`);
  } while (stream.avail_in > 0);
  return stream.output.slice(0, stream.next_out);
}
