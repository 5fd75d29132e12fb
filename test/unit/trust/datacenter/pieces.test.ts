import { expect, test } from 'bun:test';
import { piecesOf } from '../../../../src/trust/datacenter/pieces.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

test.each([
  ['2026-05-01T12:00', '2026-05-01T12:15', 1],
  ['2026-05-01T12:10', '2026-05-01T12:20', 2],
  ['2026-05-01T00:00', '2026-05-02T00:00', 1],
  ['2026-05-01T12:00', '2026-05-02T12:00', 96],
  ['2026-05-01T00:01', '2026-05-02T23:59', 192],
  ['2026-05-01T00:00', '2026-06-01T00:00', 31],
  ['2026-05-01T23:45', '2026-05-05T00:15', 5],
] as const)('the energy from %s to %s is spread over %i pieces', (from, to, pieces) => {
  expect(piecesOf(at(from), at(to))).toBe(pieces);
});
