import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { Failure } from '../../../platform/failure.ts';
import { requireFile, sizeOf, unreadable } from '../../../platform/files/read.ts';
import { isDataFile, isHeaderFile } from './names.ts';
import { isZip, zippedFiles } from './zip.ts';

/** The bytes of a dissemination file. */
export interface Source {
  /** The name of the CSV. */
  name: string;
  /** The size of the CSV in bytes. */
  bytes: number;
  pieces(): AsyncIterable<Buffer>;
}

const PIECE_BYTES = 2 ** 20;

/**
 * Finds the CSV with the rows: the file itself, or the one `npidata_pfile` of a zip.
 * @throws Failure for a file that cannot be read and a zip without it
 */
export async function sourceOf(path: string): Promise<Source> {
  requireFile(path);
  if (isHeaderFile(path)) {
    throw new Failure(`${path} contains only the header`, 'specify the file npidata_pfile_….csv next to it');
  }
  if (isZip(path)) return zippedSource(path);
  const bytes = sizeOf(path);
  if (bytes === 0) throw new Failure(`${path} is empty or not a file`, 'specify a file of NPPES');
  return { name: basename(path), bytes, pieces: () => filePieces(path) };
}

async function zippedSource(path: string): Promise<Source> {
  const files = await zippedFiles(path);
  const [found, other] = files.filter(({ name }) => isDataFile(name));
  if (found === undefined) {
    const names = files.slice(0, 10).map(({ name }) => basename(name));
    throw new Failure(
      `${path} does not contain npidata_pfile_….csv${names.length === 0 ? ': it is empty' : `, only ${names.join(', ')}`}`,
      'specify the zip file of the NPPES data dissemination as CMS publishes it',
    );
  }
  if (other !== undefined) {
    throw new Failure(
      `${path} contains two files of rows: ${basename(found.name)} and ${basename(other.name)}`,
      'unzip it, and specify one of them',
    );
  }
  return { ...found, name: basename(found.name) };
}

async function* filePieces(path: string): AsyncGenerator<Buffer> {
  const file = openSync(path, 'r');
  try {
    while (true) {
      const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      const size = readSync(file, piece);
      if (size === 0) return;
      yield piece.subarray(0, size);
    }
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    closeSync(file);
  }
}
