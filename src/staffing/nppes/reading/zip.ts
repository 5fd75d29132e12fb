import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
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

/** A zip on the disk, or in memory for a zip in a zip. */
interface Zip {
  /** For messages. */
  name: string;
  open(): Promise<ZipFile>;
  /** Streams the bytes from `start` to `end`, both included. */
  range(start: number, end: number): Readable;
}

/**
 * The size of a piece of uncompressed bytes. Many small pieces would cost more than the work on their bytes.
 */
const PIECE_BYTES = 2 ** 20;
const STORED = 0;
const DEFLATED = 8;
/** The first bytes of a zip, and of one without files. */
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
 * Returns the files of a zip or ZIP64 on the disk, from the directory at its end.
 * @throws Failure for a zip without a directory, such as one that was not downloaded completely
 */
export async function zippedFiles(path: string): Promise<ZippedFile[]> {
  return filesOf({
    name: path,
    open: () => openPromise(path, { autoClose: false }),
    range: (start, end) => createReadStream(path, { start, end, highWaterMark: PIECE_BYTES }),
  });
}

/** Returns the files of a zip in memory. @throws Failure for a damaged zip */
export async function zippedFilesIn(name: string, bytes: Buffer): Promise<ZippedFile[]> {
  return filesOf({
    name,
    open: () => fromBufferPromise(bytes, { autoClose: false }),
    range: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
  });
}

async function filesOf(zip: Zip): Promise<ZippedFile[]> {
  try {
    const opened = await zip.open();
    try {
      const files: ZippedFile[] = [];
      for await (const entry of opened.eachEntry()) {
        if (entry.fileName.endsWith('/')) continue;
        const { fileDataStart } = await opened.readLocalFileHeaderPromise(entry, { minimal: true });
        files.push({
          name: entry.fileName,
          bytes: entry.uncompressedSize,
          pieces: () => piecesOf(zip, entry, fileDataStart),
        });
      }
      return files;
    } finally {
      opened.close();
    }
  } catch (error) {
    throw damaged(zip, error);
  }
}

async function* piecesOf(zip: Zip, entry: Entry, start: number): AsyncGenerator<Buffer> {
  const { fileName, compressionMethod, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted() || (compressionMethod !== STORED && compressionMethod !== DEFLATED)) {
    throw new Failure(
      `${zip.name} contains ${fileName} in a form that is not supported (method ${compressionMethod})`,
      'unzip it, and specify the file itself',
    );
  }
  let size = 0;
  let checksum = 0;
  try {
    if (compressedSize > 0) {
      const source = zip.range(start, start + compressedSize - 1);
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
    throw damaged(zip, error);
  }
}

async function* inflated(source: Readable): AsyncGenerator<Buffer> {
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

function damaged(zip: Zip, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Error && 'syscall' in error) return unreadable(zip.name, error);
  const cause = error instanceof Error ? error.message : String(error);
  return new Failure(
    `${zip.name} is not a complete zip file: ${cause}`,
    'download it again, and compare its size with that on the page of CMS',
  );
}
