import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { Growing } from './growing.ts';
import type { RecordTexts } from './render.ts';
import type { Texts, VisitTexts } from './segments.ts';

const BUFFER = 4 * 1024 * 1024;
/** What is brought into order in memory at once. */
const BUCKET = 48 * 1024 * 1024;
/** Written to a bucket at once. */
const PORTION = 256 * 1024;

/**
 * The texts of clinicians in a scratch file, because those of millions do not fit into memory: 12 bytes of
 * memory for each. They are brought into order by distributing them to files of 48 MiB, so that every file is
 * read and written from its beginning to its end.
 */
export class SpilledTexts implements Texts {
  private readonly file: SequentialFile;
  private readonly offsets = new Growing((length) => new Float64Array(length));
  private readonly heads = new Growing((length) => new Uint16Array(length));
  private readonly tails = new Growing((length) => new Uint16Array(length));

  constructor(private readonly path: string) {
    this.file = new SequentialFile(path, BUFFER);
  }

  add({ head, tail }: RecordTexts): void {
    const { file } = this;
    this.offsets.push(file.length);
    this.heads.push(file.write(head));
    this.tails.push(file.write(tail));
  }

  each(clinicians: Uint32Array, visit: VisitTexts): void {
    this.file.flush();
    if (clinicians.length === this.offsets.length) this.eachOfAll(clinicians, visit);
    else this.eachOfSome(clinicians, visit);
  }

  /** Closes and removes the files. */
  discard(): void {
    this.file.discard();
  }

  /** Reads one after the other, at their places. */
  private eachOfSome(clinicians: Uint32Array, visit: VisitTexts): void {
    for (let index = 0; index < clinicians.length; index++) {
      const clinician = clinicians[index] ?? 0;
      const headBytes = this.heads.at(clinician);
      const text = this.file.read(this.offsets.at(clinician), headBytes + this.tails.at(clinician));
      visit(index, clinician, text.subarray(0, headBytes), text.subarray(headBytes));
    }
  }

  private eachOfAll(clinicians: Uint32Array, visit: VisitTexts): void {
    const count = clinicians.length;
    const buckets = Math.max(1, Math.ceil(this.file.length / BUCKET));
    const size = Math.max(1, Math.ceil(count / buckets));
    const bucketOf = new Uint16Array(count);
    for (let index = 0; index < count; index++) bucketOf[clinicians[index] ?? 0] = Math.floor(index / size);
    const places = new Uint32Array(count);
    const files = Array.from(
      { length: buckets },
      (_, bucket) => new SequentialFile(`${this.path}-${bucket}`, PORTION),
    );
    try {
      this.distribute(bucketOf, places, files);
      for (const file of files) file.flush();
      const longest = Math.max(...files.map(({ length }) => length));
      // One buffer for all: the engine does not see the memory of buffers in time to free it.
      const buffer = Buffer.allocUnsafe(longest);
      for (const [bucket, file] of files.entries()) {
        const bytes = file.readInto(buffer);
        file.discard();
        for (let index = bucket * size; index < Math.min(count, (bucket + 1) * size); index++) {
          const clinician = clinicians[index] ?? 0;
          const start = places[clinician] ?? 0;
          const middle = start + this.heads.at(clinician);
          visit(
            index,
            clinician,
            bytes.subarray(start, middle),
            bytes.subarray(middle, middle + this.tails.at(clinician)),
          );
        }
      }
    } finally {
      for (const file of files) file.discard();
    }
  }

  /**
   * Copies the texts to the files of their buckets in the order in which they came, and notes their places.
   */
  private distribute(bucketOf: Uint16Array, places: Uint32Array, files: readonly SequentialFile[]): void {
    const { file, heads, tails } = this;
    let from = 0;
    for (let clinician = 0; clinician < places.length; ) {
      const bytes = file.read(from, Math.min(BUFFER, file.length - from));
      let offset = 0;
      for (; clinician < places.length; clinician++) {
        const length = heads.at(clinician) + tails.at(clinician);
        if (offset + length > bytes.length) break;
        const bucket = files[bucketOf[clinician] ?? 0];
        places[clinician] = bucket?.length ?? 0;
        bucket?.writeBytes(bytes.subarray(offset, offset + length));
        offset += length;
      }
      from += offset;
    }
  }
}

/** A scratch file that is written from its beginning to its end, through a buffer. */
class SequentialFile {
  private readonly descriptor: number;
  private readonly buffer: Buffer;
  private buffered = 0;
  private written = 0;
  private reading = Buffer.alloc(0);
  private isOpen = true;

  constructor(
    private readonly path: string,
    size: number,
  ) {
    this.descriptor = openSync(path, 'w+', 0o600);
    this.buffer = Buffer.allocUnsafe(size);
  }

  get length(): number {
    return this.written + this.buffered;
  }

  /** Appends a text. @returns its length in bytes */
  write(text: string): number {
    // A character of UTF-16 takes at most three bytes of UTF-8.
    if (this.buffered + 3 * text.length > this.buffer.length) this.flush();
    const bytes = this.buffer.write(text, this.buffered);
    this.buffered += bytes;
    return bytes;
  }

  writeBytes(bytes: Uint8Array): void {
    if (this.buffered + bytes.length > this.buffer.length) this.flush();
    this.buffer.set(bytes, this.buffered);
    this.buffered += bytes.length;
  }

  /** Returns bytes of what was flushed. They are valid until the next call. */
  read(offset: number, length: number): Buffer {
    if (this.reading.length < length) this.reading = Buffer.allocUnsafe(length);
    return this.fill(this.reading.subarray(0, length), offset);
  }

  /** Reads all of what was flushed into a buffer. */
  readInto(buffer: Buffer): Buffer {
    return this.fill(buffer.subarray(0, this.written), 0);
  }

  private fill(buffer: Buffer, offset: number): Buffer {
    for (let bytes = 0; bytes < buffer.length; ) {
      const more = readSync(this.descriptor, buffer, bytes, buffer.length - bytes, offset + bytes);
      if (more === 0) throw new Error(`${this.path} ends too early`);
      bytes += more;
    }
    return buffer;
  }

  flush(): void {
    for (let from = 0; from < this.buffered; ) {
      from += writeSync(this.descriptor, this.buffer, from, this.buffered - from, this.written + from);
    }
    this.written += this.buffered;
    this.buffered = 0;
  }

  discard(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.descriptor);
    rmSync(this.path, { force: true });
    this.reading = Buffer.alloc(0);
  }
}
