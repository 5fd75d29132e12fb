import { entriesFrom, type LogSource } from '../../../platform/tlog/source.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { TILE_WIDTH } from '../../../proof/log/tiles.ts';

/** Reads single entries of a log. Neighbours are read together, so reading in order reads each tile once. */
export class EntryReader {
  private start = 0;
  private entries: readonly Uint8Array[] = [];

  /** @param size of the log */
  constructor(
    private readonly source: LogSource,
    private readonly name: LogName,
    private readonly size: number,
  ) {}

  /** @throws Failure for an entry that cannot be read */
  async entry(index: number): Promise<Uint8Array> {
    const known = this.entries[index - this.start];
    if (known !== undefined) return known;
    this.start = index - (index % TILE_WIDTH);
    this.entries = [];
    const end = Math.min(this.start + TILE_WIDTH, this.size);
    for await (const entries of entriesFrom(this.source, this.name, this.start, end)) this.entries = entries;
    const entry = this.entries[index - this.start];
    if (entry === undefined) throw new Error(`the log ${this.name} has no entry ${index}`);
    return entry;
  }
}
