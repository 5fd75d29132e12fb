import { describe, expect, test } from 'bun:test';
import { Slices } from '../../../../src/platform/turns/slices.ts';
import type { Steps } from '../../../../src/proof/encoding/steps.ts';

/** A clock that a test moves, and turns of an event loop that it makes. */
function loop() {
  const state = { now: 0, turns: [] as (() => void)[] };
  const defer = (turn: () => void): void => void state.turns.push(turn);
  const slices = new Slices(
    () => state.now,
    defer,
    () => new Promise(defer),
  );
  return {
    slices,
    pass: (ms: number) => {
      state.now += ms;
    },
    /** Makes a turn. @returns whether somebody waited for one */
    async turn(): Promise<boolean> {
      const turns = state.turns.splice(0);
      for (const turn of turns) {
        turn();
        for (let job = 0; job < 20; job++) await Promise.resolve();
      }
      return turns.length > 0;
    },
  };
}

/** A computation of steps of 1 ms each. */
function* steps(log: string[], name: string, pass: (ms: number) => void): Steps<string> {
  for (let step = 1; step <= 5; step++) {
    log.push(`${name}${step}`);
    pass(1);
    yield;
  }
  return name;
}

describe('Slices of a computation', () => {
  test('a short stretch is not interrupted', () => {
    const { slices, pass } = loop();
    expect(slices.pause()).toBeUndefined();
    pass(1);
    expect(slices.pause()).toBeUndefined();
  });

  test('a long stretch gives the event loop back, and continues in the next turn', async () => {
    const { slices, pass, turn } = loop();
    await slices.pause();
    pass(5);
    let hasContinued = false;
    const paused = slices.pause()?.then(() => {
      hasContinued = true;
    });
    await Promise.resolve();
    expect(hasContinued).toBe(false);
    await turn();
    await paused;
    expect(hasContinued).toBe(true);
    // The next stretch begins with the turn.
    expect(slices.pause()).toBeUndefined();
  });

  test('a turn without anybody who waits ends the stretch', async () => {
    const { slices, pass, turn } = loop();
    await slices.pause();
    await turn();
    pass(5);
    expect(slices.pause()).toBeUndefined();
    expect(await turn()).toBe(true);
    expect(await turn()).toBe(false);
  });

  test('computations share a stretch, and then each has one of its own', async () => {
    const { slices, pass, turn } = loop();
    const log: string[] = [];
    const results = Promise.all([slices.run(steps(log, 'a', pass)), slices.run(steps(log, 'b', pass))]);
    do log.push('|');
    while (await turn());
    expect(await results).toEqual(['a', 'b']);
    expect(log.join('')).toBe('a1a2|a3a4b1b2|a5b3b4|b5||');
  });

  test('an error of a step rejects', async () => {
    const { slices } = loop();
    const failing = slices.run(
      (function* (): Steps<void> {
        yield;
        throw new RangeError('broken');
      })(),
    );
    await expect(failing).rejects.toThrow(new RangeError('broken'));
  });

  test('the event loop serves timers and requests between slices', async () => {
    const slices = new Slices();
    let served = false;
    setTimeout(() => {
      served = true;
    });
    await slices.run(
      (function* (): Steps<void> {
        while (!served) yield;
      })(),
    );
    expect(served).toBe(true);
  });
});
