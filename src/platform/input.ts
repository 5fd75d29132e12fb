import { Failure } from './failure.ts';

/** The bytes of a file, or of standard input for `-`, as they come. @throws Failure that names the file */
export async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (path === '-' ? Bun.stdin : Bun.file(path)).stream();
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** All of a stream at once. @throws Failure beyond `max` bytes, however many would follow */
export async function gathered(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  max: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > max) throw new Failure(`${name} is larger than ${shownSize(max)}`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function shownSize(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
}
