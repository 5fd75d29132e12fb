import { Failure } from '../../../platform/failure.ts';
import { firstLine, isBlank, isObjectLine, LINE_BYTES_MAX } from '../../../proof/verifier/judge/lines.ts';

/** The maximum size of a single document, which is read into memory. Many receipts are streamed instead. */
const DOCUMENT_BYTES_MAX = 64 * 2 ** 20;

/** The bytes of one receipt, or a stream of many receipts, one per line. */
export type Input = { document: Uint8Array } | { lines: AsyncIterable<Uint8Array> };

/**
 * Detects whether the input is one receipt or many. It is many when the first nonblank line is a complete
 * JSON object and another nonblank line follows. It reads only what this needs, but all of one receipt.
 *
 * @throws Failure for a single document of more than 64 MiB, and every error of `source`
 */
export async function readInput(source: AsyncIterable<Uint8Array>): Promise<Input> {
  const pieces = source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let size = 0;
  const next = async (): Promise<Uint8Array | null> => {
    const { done, value } = await pieces.next();
    if (done === true) return null;
    size += value.length;
    if (size > DOCUMENT_BYTES_MAX) {
      throw new Failure('the input is larger than a receipt can be', 'use --ndjson for one receipt per line');
    }
    head.push(value);
    return value;
  };
  const whole = (): Uint8Array => Buffer.concat(head);

  let first = firstLine(whole());
  while (first === null && size <= LINE_BYTES_MAX && (await next()) !== null) first = firstLine(whole());
  if (first !== null && isObjectLine(first.line)) {
    let follows = !isBlank(whole().subarray(first.end));
    while (!follows) {
      const piece = await next();
      if (piece === null) break;
      follows = !isBlank(piece);
    }
    if (follows) return { lines: resumed(head, pieces) };
  }
  while ((await next()) !== null);
  if (isBlank(whole())) return { lines: resumed(head, pieces) };
  return { document: whole() };
}

/** Returns the first nonblank line of a list, as far as it can be one of a receipt, and all of the list. */
export async function peeked(
  source: AsyncIterable<Uint8Array>,
): Promise<{ first: Uint8Array; lines: AsyncIterable<Uint8Array> }> {
  const pieces = source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  const whole = (): Uint8Array => Buffer.concat(head);
  for (let found = firstLine(whole()); ; found = firstLine(whole())) {
    const next = found !== null || whole().length > LINE_BYTES_MAX ? null : await pieces.next();
    if (next === null || next.done === true)
      return { first: found?.line ?? whole(), lines: resumed(head, pieces) };
    head.push(next.value);
  }
}

async function* resumed(head: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head.splice(0);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
