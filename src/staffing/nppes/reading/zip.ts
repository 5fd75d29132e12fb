import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { Failure } from '../../../platform/failure.ts';
import { unreadable } from '../../../platform/files/read.ts';

/** A file in a zip. */
export interface ZippedFile {
  name: string;
  /** The uncompressed size in bytes. */
  bytes: number;
  /**
   * Yields the uncompressed bytes. The size and the checksum are compared at the end.
   * @throws Failure for a damaged zip
   */
  pieces(): AsyncGenerator<Buffer>;
}

/** The size of a piece of uncompressed bytes. Small pieces cost more than what is done with them. */
const PIECE_BYTES = 2 ** 20;
const STORED = 0;
const DEFLATED = 8;
const SIGNATURES: readonly string[] = ['PK\u0003\u0004', 'PK\u0005\u0006'];

/** Returns whether a file begins as a zip does. @throws Failure for a file that cannot be read */
export function isZip(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const four = Buffer.alloc(4);
      readSync(file, four);
      return SIGNATURES.includes(four.toString('latin1'));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Returns the files of a zip or ZIP64, from its directory at the end. It is read once more for each file that is read.
 * @throws Failure for a zip without a directory, as one that was not downloaded completely
 */
export async function zippedFiles(path: string): Promise<ZippedFile[]> {
  try {
    const zip = await openPromise(path, { autoClose: false });
    try {
      const files: ZippedFile[] = [];
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/')) continue;
        const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
        files.push({
          name: entry.fileName,
          bytes: entry.uncompressedSize,
          pieces: () => piecesOf(path, entry, fileDataStart),
        });
      }
      return files;
    } finally {
      zip.close();
    }
  } catch (error) {
    throw damaged(path, error);
  }
}

async function* piecesOf(path: string, entry: Entry, start: number): AsyncGenerator<Buffer> {
  const { fileName, compressionMethod, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted() || (compressionMethod !== STORED && compressionMethod !== DEFLATED)) {
    throw new Failure(
      `${path} holds ${fileName} in a form that is not supported (method ${compressionMethod})`,
      'unzip it, and specify the file itself',
    );
  }
  let size = 0;
  let checksum = 0;
  try {
    if (compressedSize > 0) {
      const end = start + compressedSize - 1;
      const source = createReadStream(path, { start, end, highWaterMark: PIECE_BYTES });
      for await (const piece of compressionMethod === STORED ? source : inflated(source)) {
        size += piece.length;
        // A small zip could otherwise unpack to any size.
        if (size > uncompressedSize) throw new Error(`${fileName} is larger than its entry says`);
        checksum = crc32(piece, checksum);
        yield piece;
      }
    }
    if (size !== uncompressedSize) throw new Error(`${fileName} ends too early`);
    if (checksum !== entry.crc32) throw new Error(`the checksum of ${fileName} is wrong`);
  } catch (error) {
    throw damaged(path, error);
  }
}

async function* inflated(source: ReturnType<typeof createReadStream>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  const feeding = pipeline(source, inflate);
  // Its error also ends the iteration below.
  feeding.catch(() => undefined);
  try {
    for await (const piece of inflate) yield Buffer.from(piece);
    await feeding;
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

function damaged(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Error && 'syscall' in error) return unreadable(path, error);
  const cause = error instanceof Error ? error.message : String(error);
  return new Failure(
    `${path} is not a complete zip file: ${cause}`,
    'download it again, and compare its size with that on the page of CMS',
  );
}
