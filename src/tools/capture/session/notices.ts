import { withoutSecrets } from '../../../platform/terminal/output.ts';
import { printable } from '../../../platform/terminal/printable.ts';

/** The least time between two notices of one kind, in milliseconds. */
const INTERVAL_MS = 60_000;

/**
 * Says on stderr what a session cannot do, one line a minute for each kind: stdout belongs to the protocol.
 */
export class Notices {
  private readonly last = new Map<string, number>();

  constructor(private readonly write: (line: string) => void = (line) => process.stderr.write(line)) {}

  /** Writes a line, unless one of the kind was written within a minute. */
  say(kind: string, text: string): void {
    const now = performance.now();
    const last = this.last.get(kind);
    if (last !== undefined && now - last < INTERVAL_MS) return;
    this.last.set(kind, now);
    const line = withoutSecrets(printable(text)).replace(/\s+/g, ' ').trim();
    this.write(`countersign: ${line}\n`);
  }
}
