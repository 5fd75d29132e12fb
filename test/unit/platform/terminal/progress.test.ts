import { expect, test } from 'bun:test';
import { Progress, progressLine } from '../../../../src/platform/terminal/progress.ts';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('a progress bar shows share, rate and remaining time', () => {
  expect(progressLine('receipts', 1234, 0.25, 2000)).toBe(
    '[######------------------]  25 %  1,234 receipts  617/s  6 s left',
  );
  expect(progressLine('receipts', 10, null, 0)).toBe('10 receipts  0/s');
  expect(progressLine('rows', 1, 0.5, 3_700_000)).toEndWith('1 h 1 min left');
  expect(progressLine('rows', 1, 0.5, 90_000)).toEndWith('1 min 30 s left');
  expect(progressLine('rows', 1, 0, 90_000)).not.toContain('left');
});

test('a progress bar is drawn at most ten times a second, and removed before other output', () => {
  let now = 0;
  const terminal = screen(true);
  const progress = new Progress(terminal, 'rows', () => now, true);
  for (now = 1; now <= 150; now++) progress.at(now, 0.5);
  progress.end('done');
  expect(terminal.written).toHaveLength(4);
  expect(terminal.written.slice(2)).toEqual(['\r\x1b[K', 'done\n']);
});

test('a progress bar writes only its final sentence to a file', () => {
  const file = screen(false);
  const progress = new Progress(file, 'rows');
  progress.at(1, 0.5);
  progress.clear();
  progress.end('done');
  expect(file.written).toEqual(['done\n']);
});
