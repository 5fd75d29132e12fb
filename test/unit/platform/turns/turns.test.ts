import { describe, expect, test } from 'bun:test';
import type { Payer } from '../../../../src/platform/turns/payers.ts';
import { Turns } from '../../../../src/platform/turns/turns.ts';
import type { Visit } from '../../../../src/platform/turns/visit.ts';

const MIB = 2 ** 20;
const payer = (id: string, isFree = false, key = 'k'): Payer => ({ id, key, isFree });

/** Turns on a clock and an event loop that the test moves. */
function moved(inFlight?: number) {
  let now = 0;
  let planned: (() => void)[] = [];
  const turns = new Turns({
    ...(inFlight === undefined ? {} : { inFlight }),
    now: () => now,
    later: (call) => void planned.push(call),
  });
  const begun: string[] = [];
  const visits = new Map<string, Visit>();
  /** Handles what was planned, each event with what follows from it; `ms`: what each takes. */
  const loop = async (ms = 0): Promise<void> => {
    const calls = planned;
    planned = [];
    for (const call of calls) {
      call();
      await Promise.resolve();
      await Promise.resolve();
      now += ms;
    }
  };
  return {
    turns,
    begun,
    visit(name: string): Visit {
      const visit = visits.get(name);
      if (visit === undefined) throw new Error(`no visit ${name}`);
      return visit;
    },
    /** A request arrives, and notes when it begins. @returns whether it was let in */
    arrive(name: string, of: Payer, bytes = 0): boolean {
      const visit = turns.arrived(of, bytes);
      if (visit === null) return false;
      visits.set(name, visit);
      if (visit.first === true) begun.push(name);
      else
        void visit.first.then((hasTurn) => {
          begun.push(hasTurn ? name : `not ${name}`);
          if (hasTurn) visit.begin();
        });
      return true;
    },
    pass(ms: number): void {
      now += ms;
    },
    loop,
    async loops(count: number, ms = 0): Promise<void> {
      for (let at = 0; at < count; at++) await loop(ms);
    },
    isIdle: () => planned.length === 0,
  };
}

/** Turns that are busy, so that whoever arrives waits. */
function busy(inFlight?: number) {
  const made = moved(inFlight);
  made.arrive('first', payer('someone'));
  made.pass(100);
  return made;
}

describe('requests that arrive', () => {
  test('begin at once while there is time, also many of one payer', () => {
    const { arrive, begun, turns } = moved();
    for (let at = 0; at < 100; at++) arrive(String(at), payer('a'));
    expect([begun.length, turns.length]).toEqual([100, 0]);
  });

  test('wait when those before them took long, and then each payer has its turn', async () => {
    const { arrive, begun, loops, turns } = busy();
    for (const at of [1, 2, 3]) arrive(`a${at}`, payer('a'));
    for (const at of [1, 2]) arrive(`b${at}`, payer('b'));
    arrive('c1', payer('c'));
    expect([begun, turns.length]).toEqual([['first'], 6]);
    await loops(10);
    expect(begun).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(turns.length).toBe(0);
  });

  test('of free operators share one turn, and of keys that of their operator', async () => {
    const { arrive, begun, loops } = busy();
    for (const name of ['x', 'y']) for (const at of [1, 2]) arrive(`${name}${at}`, payer(name, true));
    for (const key of ['k', 'l']) for (const at of [1, 2]) arrive(`paid-${key}${at}`, payer('p', false, key));
    await loops(10);
    expect(begun.slice(1)).toEqual(['x1', 'paid-k1', 'y1', 'paid-l1', 'x2', 'paid-k2', 'y2', 'paid-l2']);
  });

  test('begin at once while there is time where nothing of their payer waits, and pass none of it', async () => {
    const { arrive, begun, loop, pass } = busy();
    for (let at = 0; at < 40; at++) arrive(`a${at}`, payer('a'));
    for (const at of [1, 2]) arrive(`free ${at}`, payer(`free ${at}`, true));
    await loop(1);
    const before = begun.length;
    arrive('b', payer('b'));
    arrive('a40', payer('a'));
    arrive('free 3', payer('free 3', true));
    expect(begun.slice(before)).toEqual(['b']);
    pass(1);
    arrive('c', payer('c'));
    expect(begun.slice(before)).toEqual(['b']);
  });

  /** Lets requests wait. @returns how many of them begin in one round */
  async function begunInOneRound(
    { arrive, begun, pass, loops, visit }: ReturnType<typeof moved>,
    waiting: readonly [name: string, of: Payer][],
  ): Promise<number> {
    arrive('before', payer('a'));
    pass(100);
    for (const [name, of] of waiting) arrive(name, of);
    // The first round was planned when only one waited.
    await loops(1);
    const before = begun.length;
    await loops(1);
    const begunInOne = begun.length - before;
    await loops(100);
    for (const name of ['before', ...waiting.map(([one]) => one)]) visit(name).end();
    return begunInOne;
  }
  const many = (id: string, count: number): [string, Payer][] =>
    Array.from({ length: count }, (_, at) => [`${id} ${at}`, payer(id)]);

  test('meet short rounds also where their payer had none for a moment, and long ones after a while', async () => {
    const made = moved();
    made.arrive('a', payer('a'));
    made.arrive('b', payer('b'));
    for (const name of ['a', 'b']) made.visit(name).end();
    expect(await begunInOneRound(made, many('a', 34))).toBe(4);
    for (let loop = 0; loop < 256; loop++) {
      made.arrive(`alone ${loop}`, payer('a'));
      made.visit(`alone ${loop}`).end();
      await made.loops(1);
    }
    expect(await begunInOneRound(made, many('a', 34))).toBe(32);
  });

  test('of several payers with many begin in long rounds, and in short ones once one has few', async () => {
    const made = moved();
    const both = [...many('a', 40), ...many('b', 40)];
    await begunInOneRound(made, both);
    for (let loop = 0; loop < 256; loop++) {
      made.arrive(`alone ${loop}`, payer('a'));
      made.visit(`alone ${loop}`).end();
      await made.loops(1);
    }
    expect(await begunInOneRound(made, both)).toBe(32);
    expect(await begunInOneRound(made, [...both, ...many('few', 2)])).toBe(4);
  });

  test('of strangers and of free operators make no round short', async () => {
    const made = moved();
    const both = [...many('a', 40), ...many('b', 40)];
    await begunInOneRound(made, both);
    const free: [string, Payer] = ['free', payer('free', true)];
    const stranger: [string, Payer] = ['stranger', { ...payer('stranger'), isStranger: true }];
    await made.loops(1);
    for (let loop = 0; loop < 256; loop++) {
      made.arrive(`alone ${loop}`, payer('a'));
      made.visit(`alone ${loop}`).end();
      await made.loops(1);
    }
    expect(await begunInOneRound(made, [...both, free, stranger])).toBe(32);
  });

  test.each([
    [21, 21],
    [100, 32],
  ])('of %i payers begin in rounds in which each has one, up to %i', async (payers, expected) => {
    const each = Array.from({ length: payers }, (_, at) => many(`p${at}`, 2)).flat();
    expect(await begunInOneRound(moved(), each)).toBe(expected);
  });

  test('wait for another of their payer to end while others wait, also those that arrive', async () => {
    const { arrive, begun, loops, pass } = busy(1);
    arrive('a1', payer('a'));
    await loops(5);
    arrive('slow', payer('slow'));
    pass(100);
    for (const name of ['b', 'c']) for (const at of [1, 2]) arrive(`${name}${at}`, payer(name));
    await loops(5);
    arrive('a2', payer('a'));
    expect(begun).toEqual(['first', 'a1', 'slow', 'b1', 'c1']);
  });

  test('for the health wait only for another one of the same payer', async () => {
    const { arrive, begun, loops, turns } = busy();
    const asking = (id: string): Payer => ({ ...payer(id), asksHealth: true });
    arrive('b', payer('b'));
    for (const at of [1, 2]) arrive(`health ${at}`, asking('health a'));
    arrive('other health', asking('health c'));
    expect(begun).toEqual(['first', 'health 1', 'other health']);
    await loops(10);
    expect(begun.slice(3).toSorted()).toEqual(['b', 'health 2']);
    arrive('later health', asking('health a'));
    expect([begun.at(-1), turns.length]).toEqual(['later health', 0]);
  });

  test('are let in without bounds while nobody else waits, but for the bytes of all', () => {
    const { arrive } = busy();
    for (let at = 0; at < 3000; at++) expect(arrive(String(at), payer('a'))).toBe(true);
    for (let at = 0; at < 256; at++) expect(arrive(`large ${at}`, payer('a'), MIB)).toBe(true);
    expect(arrive('one more byte', payer('a'), 1)).toBe(false);
    expect(arrive('without a body', payer('a'))).toBe(true);
  });

  test('with bodies find room, however much others hold, until they hold some themselves', () => {
    const { arrive, visit } = busy();
    for (let at = 0; at < 256; at++) expect(arrive(`large ${at}`, payer('a'), MIB)).toBe(true);
    for (const at of [1, 2]) expect(arrive(`b${at}`, payer('b'), MIB)).toBe(true);
    expect(arrive('b3', payer('b'), 1)).toBe(false);
    // Addresses of one network share what they may have nevertheless.
    const inNetwork = (id: string): Payer => ({ ...payer(id), network: '2001:db8:0::/48' });
    for (const at of [1, 2]) expect(arrive(`c${at}`, inNetwork(`c${at}`), MIB)).toBe(true);
    expect(arrive('c3', inNetwork('c3'), 1)).toBe(false);
    for (let at = 0; at < 5; at++) visit(`large ${at}`).releaseBody();
    expect([arrive('b4', payer('b'), 1), arrive('c4', inNetwork('c4'), 1)]).toEqual([true, true]);
  });

  test('hold the bytes of a body until it was read, also after their turn', () => {
    const { arrive, visit, turns } = moved();
    for (let at = 0; at < 8; at++) expect(arrive(`a${at}`, payer('a'), MIB)).toBe(true);
    visit('a0').pause();
    turns.arrived(payer('b'), 0);
    const { waiting } = Reflect.get(turns, 'accounts').get('b');
    expect(waiting).toBe(0);
    const { bytes } = Reflect.get(turns, 'accounts').get('a');
    expect(bytes).toBe(8 * MIB);
    for (let at = 0; at < 8; at++) visit(`a${at}`).releaseBody();
    for (let at = 0; at < 8; at++) visit(`a${at}`).end();
    expect([Reflect.get(turns, 'bytes'), Reflect.get(turns, 'sharings').get('a').bytes]).toEqual([0, 0]);
  });

  test('of addresses of one network share one turn', async () => {
    const { arrive, begun, loops } = busy();
    for (let at = 0; at < 50; at++) arrive(`n${at}`, { ...payer(`n${at}`), network: '2001:db8:0::/48' });
    for (const at of [1, 2, 3]) arrive(`b${at}`, payer('b'));
    await loops(10);
    expect(begun.slice(1, 7)).toEqual(['n0', 'b1', 'n1', 'b2', 'n2', 'b3']);
  });

  test('for the health are never refused, and few begin before the others', () => {
    const { arrive, begun } = busy();
    const asking = (id: string): Payer => ({ ...payer(id), asksHealth: true });
    arrive('b', payer('b'));
    for (let at = 0; at < 2000; at++) expect(arrive(`health ${at}`, asking(`address ${at}`))).toBe(true);
    for (let at = 0; at < 2000; at++) expect(arrive(`same ${at}`, asking('address 0'))).toBe(true);
    expect(begun.length).toBe(9);
  });

  test('are refused beyond 1,024, or 8 MiB, of a payer while others wait', () => {
    const { arrive } = busy();
    arrive('b', payer('b'));
    for (let at = 0; at < 1024; at++) expect(arrive(String(at), payer('a'))).toBe(true);
    expect(arrive('1025th', payer('a'))).toBe(false);
    expect(arrive('another payer', payer('c'))).toBe(true);
    for (let at = 0; at < 8; at++) expect(arrive(`d${at}`, payer('d'), MIB)).toBe(true);
    expect(arrive('d without a body', payer('d'))).toBe(true);
    expect(arrive('d with a byte', payer('d'), 1)).toBe(false);
  });

  test('of payers that come and go leave nothing behind', async () => {
    const { arrive, visit, loops, turns } = busy();
    for (let at = 0; at < 500; at++) arrive(String(at), payer(`address ${at}`));
    await loops(200);
    for (let at = 0; at < 500; at++) visit(String(at)).end();
    visit('first').end();
    expect([turns.length, Reflect.get(turns, 'active')]).toEqual([0, 0]);
    expect(Reflect.get(turns, 'accounts').size).toBeLessThanOrEqual(64);
    expect(Reflect.get(turns, 'sharings').size).toBeLessThanOrEqual(64);
  });
});

describe('a payer with as many under way as it may have', () => {
  test('waits while others do, until one of its own has ended', async () => {
    const { arrive, begun, visit, loops, isIdle } = busy(2);
    for (const at of [1, 2, 3]) arrive(`a${at}`, payer('a'));
    for (const at of [1, 2, 3]) arrive(`b${at}`, payer('b'));
    await loops(20);
    expect(begun.slice(1)).toEqual(['a1', 'b1', 'a2', 'b2']);
    // Nothing is tried again and again meanwhile.
    expect(isIdle()).toBe(true);
    visit('b1').end();
    await loops(20);
    // Then nobody but the first waits, so no bound holds.
    expect(begun.slice(5)).toEqual(['b3', 'a3']);
  });

  test('goes on when nobody else waits', async () => {
    const { arrive, begun, loops } = busy(2);
    for (let at = 0; at < 10; at++) arrive(`a${at}`, payer('a'));
    await loops(20);
    expect(begun.length).toBe(11);
  });

  test('has the place of a request that waits for its body', async () => {
    const { arrive, begun, visit, loops } = busy(1);
    for (const at of [1, 2]) arrive(`a${at}`, payer('a'));
    for (const at of [1, 2]) arrive(`b${at}`, payer('b'));
    await loops(20);
    expect(begun.slice(1)).toEqual(['a1', 'b1']);
    visit('a1').pause();
    await loops(20);
    expect(begun.slice(3)).toEqual(['a2', 'b2']);
  });
});

describe('a request under way', () => {
  test('takes another turn behind those that wait', async () => {
    const { arrive, begun, visit, loops } = busy();
    arrive('b', payer('b'));
    const again = visit('first')
      .resume()
      .then(() => begun.push('first again'));
    await loops(10);
    await again;
    expect(begun).toEqual(['first', 'b', 'first again']);
  });

  test('goes on at once where nobody waits', async () => {
    const { arrive, visit, loop } = moved();
    arrive('a', payer('a'));
    await loop();
    await visit('a').resume();
    expect(visit('a').isLate).toBe(false);
  });

  test('gives the event loop back between its parts even where nobody waits', async () => {
    const { arrive, begun, visit, loops } = moved();
    arrive('a', payer('a'));
    const later = visit('a')
      .goOnLater()
      ?.then(() => begun.push('a later'));
    await Promise.resolve();
    expect(begun).toEqual(['a']);
    await loops(2);
    await later;
    expect(begun).toEqual(['a', 'a later']);
    visit('a').end();
    expect(visit('a').goOnLater()).toBeNull();
  });

  test('counts once, also while two parts of its work wait for turns', async () => {
    const { arrive, visit, turns, loops } = moved();
    for (const name of ['parts', 'open']) arrive(name, payer('a'));
    const inFlight = () => Reflect.get(turns, 'accounts').get('a').inFlight;
    const both = Promise.all([visit('parts').goOnLater(), visit('parts').goOnLater()]);
    expect(inFlight()).toBe(1);
    await loops(5);
    await both;
    visit('parts').goOn();
    expect(inFlight()).toBe(2);
    visit('parts').end();
    expect(inFlight()).toBe(1);
  });

  test('is late once other events were handled', async () => {
    const { arrive, visit, loop } = moved();
    arrive('a', payer('a'));
    expect(visit('a').isLate).toBe(false);
    await loop();
    expect(visit('a').isLate).toBe(true);
  });

  test('that has ended is under way no more, whatever it still waited for', async () => {
    const { arrive, visit, turns, loops } = busy();
    arrive('other', payer('b'));
    arrive('next', payer('someone'));
    const again = visit('first').resume();
    visit('first').end();
    await loops(10);
    await again;
    visit('first').goOn();
    await visit('first').resume();
    expect(Reflect.get(turns, 'accounts').get('someone').inFlight).toBe(1);
  });

  test('that ends while its payer has another counts no more after a late body', async () => {
    const { arrive, visit, turns, loops } = moved();
    for (const name of ['slow', 'open']) arrive(name, payer('a'));
    visit('slow').pause();
    visit('slow').end();
    await loops(2);
    await visit('slow').resume();
    expect(Reflect.get(turns, 'accounts').get('a').inFlight).toBe(1);
  });

  test('is under way until it was sent, if that was deferred', () => {
    const { arrive, visit, turns } = moved();
    arrive('a', payer('a'));
    const release = visit('a').keep();
    visit('a').end();
    expect(Reflect.get(turns, 'active')).toBe(1);
    release();
    release();
    expect(Reflect.get(turns, 'active')).toBe(0);
  });
});

test('a stop refuses those that wait, and lets those go on that have begun', async () => {
  const { arrive, begun, visit, turns, loops } = busy();
  for (const at of [1, 2]) arrive(`a${at}`, payer('a'));
  const again = visit('first').resume();
  turns.stop();
  await again;
  const later = visit('first').goOnLater();
  await loops(5);
  await later;
  expect(begun).toEqual(['first', 'not a1', 'not a2']);
  await visit('first').resume();
  expect(turns.length).toBe(0);
});
