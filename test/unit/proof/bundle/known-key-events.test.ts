import { describe, expect, test } from 'bun:test';
import { type FoundKeyEvents, KnownKeyEvents } from '../../../../src/proof/bundle/known-key-events.ts';
import type { JsonValue } from '../../../../src/proof/encoding/json.ts';

const events = (): FoundKeyEvents => ({
  proofs: [],
  events: { check: 'ok', problem: null, keys: [], common: null, trees: [], cosignatures: [] },
});
const of = (value: JsonValue, ...kids: JsonValue[]) => ({ kids, value });

describe('what was found of key events', () => {
  test('is kept for exactly these events and signers', () => {
    const known = new KnownKeyEvents();
    const first = events();
    known.add(of([{ log: 'a' }], 'one', 'two'), first);
    expect(known.find(of([{ log: 'a' }], 'one', 'two'))?.events).toBe(first.events);
    for (const other of [
      of([{ log: 'b' }], 'one', 'two'),
      of([{ log: 'a' }], 'two', 'one'),
      of([{ log: 'a' }], 'one'),
      of([{ log: 'a' }], 'one', null),
      of([{ log: 'a' }]),
    ])
      expect(known.find(other)).toBeNull();
  });

  test('is kept of the last 64 only, and of none that is long', () => {
    const known = new KnownKeyEvents();
    for (let index = 0; index < 65; index++) known.add(of(index), events());
    expect(known.find(of(0))).toBeNull();
    expect(known.find(of(1))).not.toBeNull();
    expect(known.find(of(64))).not.toBeNull();
    known.add(of('x'.repeat(65_537)), events());
    expect(known.find(of('x'.repeat(65_537)))).toBeNull();
    expect(known.find(of(1))).not.toBeNull();
  });
});
