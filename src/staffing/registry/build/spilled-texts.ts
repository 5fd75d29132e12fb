import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { Growing } from './growing.ts';
import type { RecordTexts } from './render.ts';
import type { Texts } from './segments.ts';

const BUFFER = 4 * 1024 * 1024;

/** The texts of clinicians in a scratch file, because those of millions do not fit into memory: 10 bytes of memory for each. */
export class SpilledTexts implements Texts {
  private readonly file: number;
  private readonly buffer = Buffer.allocUnsafe(BUFFER);
  private buffered = 0;
  private written = 0;
  private readonly offsets = new Growing((length) => new Float64Array(length));
  private readonly heads = new Growing((length) => new Uint16Array(length));
  private readonly tails = new Growing((length) => new Uint16Array(length));
  private readonly one = Buffer.allocUnsafe(2 * 65_536);

  constructor(private readonly path: string) {
    this.file = openSync(path, 'w+', 0o600);
  }

  add({ head, tail }: RecordTexts): void {
    // A character takes at most three bytes in UTF-8, or six as \uXXXX.
    if (this.buffered + 3 * (head.length + tail.length) > BUFFER) this.flush();
    const headBytes = this.buffer.write(head, this.buffered);
    const tailBytes = this.buffer.write(tail, this.buffered + headBytes);
    this.offsets.push(this.written + this.buffered);
    this.heads.push(headBytes);
    this.tails.push(tailBytes);
    this.buffered += headBytes + tailBytes;
  }

  headOf(clinician: number): string {
    return this.read(this.offsets.at(clinician), this.heads.at(clinician));
  }

  tailOf(clinician: number): string {
    return this.read(this.offsets.at(clinician) + this.heads.at(clinician), this.tails.at(clinician));
  }

  /** Closes and removes the file. */
  discard(): void {
    closeSync(this.file);
    rmSync(this.path, { force: true });
  }

  private read(offset: number, length: number): string {
    if (this.buffered > 0) this.flush();
    readSync(this.file, this.one, 0, length, offset);
    return this.one.toString('utf8', 0, length);
  }

  private flush(): void {
    for (let from = 0; from < this.buffered; ) {
      from += writeSync(this.file, this.buffer, from, this.buffered - from, this.written + from);
    }
    this.written += this.buffered;
    this.buffered = 0;
  }
}
