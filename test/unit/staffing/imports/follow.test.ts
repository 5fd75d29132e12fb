import { describe, expect, test } from 'bun:test';
import { type Followed, follow } from '../../../../src/staffing/imports/follow.ts';
import { emptyReport } from '../../../../src/staffing/imports/report.ts';

const report = emptyReport(null, '2026-03-09T10:00:00.000Z');
const state = { id: 'one', step: 'reading', rows: 10, share: 0.5, seconds: 1, report: null };

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
