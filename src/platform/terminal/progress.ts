import { groupDigits } from '../../proof/words/group-digits.ts';
import { isTerminal } from './output.ts';

/** The interval at which the bar is drawn, in milliseconds. Faster updates cannot be read. */
const DRAW_MS = 100;
const BAR_WIDTH = 24;

/** The destination of a bar. Only a terminal shows one. */
export interface Screen {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/**
 * A progress bar on a terminal's stderr with count, rate and remaining time. Without a terminal, only the
 * final sentence is written.
 */
export class Progress {
  private readonly since: number;
  private drawnAt = Number.NEGATIVE_INFINITY;
  private isDrawn = false;

  /**
   * @param noun what is counted, in the plural @param clock returns milliseconds @param isLive whether a bar
   * is drawn
   */
  constructor(
    private readonly screen: Screen,
    private readonly noun: string,
    private readonly clock: () => number = () => performance.now(),
    private readonly isLive: boolean = isTerminal(screen),
  ) {
    this.since = clock();
  }

  /** Shows that `count` are done, the `share` (0 to 1) of all; null when the total is unknown. */
  at(count: number, share: number | null): void {
    this.show((now) => progressLine(this.noun, count, share, now - this.since));
  }

  /** Shows another line than that of `at`. @param lineAt returns the line at a time of the clock */
  show(lineAt: (now: number) => string): void {
    const now = this.clock();
    if (!this.isLive || now - this.drawnAt < DRAW_MS) return;
    this.drawnAt = now;
    this.isDrawn = true;
    this.screen.write(`\r${lineAt(now)}\x1b[K`);
  }

  /** Removes the bar, so that other text can be written to the same terminal. */
  clear(): void {
    if (this.isDrawn) this.screen.write('\r\x1b[K');
    this.isDrawn = false;
  }

  /** Removes the bar and writes the final sentence. */
  end(sentence: string): void {
    this.clear();
    this.screen.write(`${sentence}\n`);
  }
}

/**
 * Returns the text of a bar, such as `[######------------------]  25 %  1,234 receipts  617/s  6 s left`.
 * @param hasRate false when `count` no longer grows
 */
export function progressLine(
  noun: string,
  count: number,
  share: number | null,
  elapsedMs: number,
  hasRate = true,
): string {
  const rate = elapsedMs > 0 ? count / (elapsedMs / 1000) : 0;
  const counted = `${groupDigits(count)} ${noun}${hasRate ? `  ${groupDigits(rate)}/s` : ''}`;
  if (share === null) return counted;
  const part = Math.min(Math.max(share, 0), 1);
  const filled = Math.floor(part * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
  const left = part > 0 ? `  ${duration((elapsedMs / part - elapsedMs) / 1000)} left` : '';
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${counted}${left}`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
