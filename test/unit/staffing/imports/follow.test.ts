import { describe, expect, test } from 'bun:test';
import { type Followed, follow } from '../../../../src/staffing/imports/follow.ts';
import { emptyReport } from '../../../../src/staffing/imports/report.ts';

const report = emptyReport(null, '2026-03-09T10:00:00.000Z');
const state = { id: 'one', step: 'reading', rows: 10, share: 0.5, seconds: 1, report: null };

/** Time that moves on to each timer at once. */
class ManualTime {
  private now = 0;

  monotonic(): number {
    return this.now;
  }

  after(ms: number, act: () => void): () => void {
    this.now += ms;
    queueMicrotask(act);
    return () => undefined;
  }
}

/** An import that ends with the second question, and a terminal. */
function followed(changes: Partial<Followed> = {}) {
  let asked = 0;
  const cancelled: string[] = [];
  const shown: string[] = [];
  const actions: Followed = {
    isRemote: true,
    start: async () => state,
    status: async () => (++asked === 1 ? state : { ...state, report }),
    cancel: async (id) => void cancelled.push(id),
    ...changes,
  };
  const screen = { isTTY: true, write: (text: string) => shown.push(text) };
  return { actions, screen, cancelled, shown };
}

describe('following an import', () => {
  test('shows its progress on a terminal and returns its report', async () => {
    const { actions, screen, shown } = followed();
    expect(await follow(actions, screen)).toBe(report);
    expect(shown.join('')).toContain('reading');
    expect(shown.at(-1)).toBe('\r\x1b[K');
  });

  test('writes a line every 10 seconds without a terminal, and none in the first 10', async () => {
    const time = new ManualTime();
    const shown: [at: number, text: string][] = [];
    const screen = { write: (text: string) => shown.push([time.monotonic(), text]) };
    const { actions } = followed({
      status: async () => {
        const at = time.monotonic();
        const status = { ...state, rows: at * 61, share: at / 60_000, seconds: at / 1000 };
        return at < 35_000 ? status : { ...status, report };
      },
    });
    expect(await follow(actions, screen, { clock: time, timers: time })).toBe(report);
    expect(shown).toEqual([
      [10_000, 'import: 16 %, 610,000 rows, 10 s, reading\n'],
      [20_000, 'import: 33 %, 1,220,000 rows, 20 s, reading\n'],
      [30_000, 'import: 50 %, 1,830,000 rows, 30 s, reading\n'],
    ]);
  });

  test('writes nothing about an import of 9 seconds without a terminal', async () => {
    const time = new ManualTime();
    const { actions, shown } = followed({
      status: async () => (time.monotonic() < 9000 ? state : { ...state, report }),
    });
    const screen = { write: (text: string) => shown.push(text) };
    expect(await follow(actions, screen, { clock: time, timers: time })).toBe(report);
    expect(shown).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('cancels it with %s', async (signal) => {
    const { actions, screen, cancelled } = followed({
      status: async () => {
        if (cancelled.length === 0) process.emit(signal, signal);
        return cancelled.length === 0 ? state : { ...state, report };
      },
    });
    await follow(actions, screen);
    expect(cancelled).toEqual(['one']);
    expect(process.exitCode).toBe(signal === 'SIGINT' ? 130 : 143);
    process.exitCode = 0;
    expect(process.listenerCount(signal)).toBe(0);
  });

  test('reports that the server ended', async () => {
    const { actions, screen } = followed({ status: () => Promise.reject(new Error('no connection')) });
    expect(follow(actions, screen)).rejects.toThrow(/the server ended or does not respond.*no connection/);
  });

  test('passes on an error of this process', async () => {
    const { actions, screen } = followed({
      isRemote: false,
      status: () => Promise.reject(new Error('broken')),
    });
    expect(follow(actions, screen)).rejects.toThrow(/^broken$/);
  });
});
