import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { SpoolDirectory } from '../../../../../src/tools/capture/spool/directory.ts';
import { readState, type SpoolFile, UnreadableFile } from '../../../../../src/tools/capture/spool/file.ts';
import { headerIn, type Line, lineIn, linesText } from '../../../../../src/tools/capture/spool/lines.ts';
import { SessionState } from '../../../../../src/tools/capture/spool/state.ts';
import { headerFor } from '../../../../support/captured.ts';
import { canMount, mount, unmount } from '../../../../support/disk.ts';
import { scratch } from '../../../../support/process.ts';

const HEADER = headerFor('http://127.0.0.1:9');
let place: ReturnType<typeof scratch>;
let directory: SpoolDirectory;
beforeEach(() => {
  place = scratch();
  directory = new SpoolDirectory(join(place.path, 'capture'));
});
afterEach(() => place.dispose());

const idOf = (n: number): string => `cap_${String(n).padStart(32, '0')}`;
const hashOf = (n: number): string => n.toString(16).padStart(64, '0');

function begun(n: number, scope = `mcp:files:${n}`): Line {
  return {
    ...{ type: 'begun', call: idOf(n), n, at: '2026-01-01T00:00:00.000Z', scope },
    ...{ input_digest: hashOf(n), expiry: '2036-01-01T00:00:00.000Z' },
  };
}

/** All lines of a call, in order. */
const life = (n: number): Line[] => [
  begun(n),
  {
    type: 'sent',
    call: idOf(n),
    prev: n === 1 ? null : hashOf(1000 + n - 1),
    at: '2026-01-01T00:00:00.000Z',
  },
  { type: 'issued', call: idOf(n), receipt: `rcpt_${n}`, hash: hashOf(1000 + n) },
  { type: 'ended', call: idOf(n), body: { status: 'success', output_hash: hashOf(n) } },
  { type: 'finalized', call: idOf(n), hash: hashOf(2000 + n) },
];

function nameOf(file: SpoolFile): string {
  const [name = ''] = /[^/]+(?=\.ndjson$)/.exec(file.path) ?? [];
  return name;
}

const comparable = (state: SessionState) => ({
  ...{ calls: [...state.calls], done: state.done, newest: state.newest, next: state.next },
  ...{ isClosed: state.isClosed, paused: state.paused },
});

describe('a session file', () => {
  test('is readable only for its user, and names no key', () => {
    const file = directory.create(HEADER);
    expect(statSync(directory.path).mode & 0o777).toBe(0o700);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(readState(file.path).header).toEqual(HEADER);
    file.close();
  });

  test('has each line as soon as it is written, and says the same to the next process', () => {
    const file = directory.create(HEADER);
    for (const line of [...life(1), ...life(2).slice(0, 3), begun(3)]) {
      file.write(() => [line]);
      expect(comparable(readState(file.path))).toEqual(comparable(file.state));
    }
    expect([...file.state.calls.keys()]).toEqual([idOf(2), idOf(3)]);
    expect(file.state).toMatchObject({ done: [[1, hashOf(2001)]], newest: [2, hashOf(1002)], next: 4 });
    file.close();
  });

  test('is removed once everything is sent, with its lock', () => {
    const file = directory.create({ ...HEADER, server: null });
    file.write(() => [...life(1), { type: 'closed' }]);
    file.close();
    expect(readdirSync(directory.path)).toEqual(['unrecorded']);
  });

  test('stays while its closing receipt is missing', () => {
    const file = directory.create(HEADER);
    file.write(() => [...life(1), { type: 'closed' }]);
    expect(file.state.owesClosing).toBe(true);
    file.close();
    expect(directory.names()).toHaveLength(1);
  });

  test('is locked while its process lives, and open to the next one afterwards', () => {
    const file = directory.create(HEADER);
    file.write(() => [begun(1)]);
    const name = nameOf(file);
    expect(directory.takeOver(name)).toBeNull();
    file.close();
    const next = directory.takeOver(name);
    expect(next?.state.calls.size).toBe(1);
    expect(directory.takeOver(name)).toBeNull();
    next?.close();
  });

  test('writes nothing after its end', async () => {
    const file = directory.create(HEADER);
    file.close();
    const before = readFileSync(file.path, 'utf8');
    expect(file.write(() => [begun(1)])).toBe(false);
    expect(await file.sync()).toBe(false);
    expect(readFileSync(file.path, 'utf8')).toBe(before);
  });

  test('survives a power cut after a sync, which calls in parallel share', async () => {
    const file = directory.create(HEADER);
    const synced = [1, 2, 3].map((n) => {
      file.write(() => [begun(n)]);
      return file.sync();
    });
    expect(await Promise.all(synced)).toEqual([true, true, true]);
    file.close();
  });

  test('stays small over many calls, and keeps their number and order', () => {
    const file = directory.create(HEADER);
    for (let n = 1; n <= 6000; n += 1) file.write(() => life(n));
    file.write(() => [begun(6001)]);
    expect(statSync(file.path).size).toBeLessThan(2 * 1024 * 1024);
    expect(comparable(readState(file.path))).toEqual(comparable(file.state));
    expect(readState(file.path).done).toHaveLength(6000);
    file.close();
  });
});

describe('a damaged file', () => {
  const cutLine = '{"type":"begun","call":"cap_0000000000007000';

  test('with a cut last line is read up to it, continued, and kept when all is sent', () => {
    const file = directory.create({ ...HEADER, server: null });
    file.write(() => life(1).slice(0, 3));
    const { path } = file;
    file.close();
    appendFileSync(path, cutLine);
    const next = directory.takeOver(nameOf(file));
    expect(next?.state).toMatchObject({ damage: 1 });
    next?.write(() => [...life(1).slice(3), { type: 'closed' }]);
    expect(readState(path)).toMatchObject({ damage: 1, done: [[1, hashOf(2001)]] });
    next?.close();
    expect(directory.names()).toEqual([]);
    expect(directory.damaged()).toEqual([`${path}.damaged`]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toContain(cutLine);
  });

  test.each([
    ['is empty', ''],
    ['has rubbish', '\u0000\u0001\ufffd{'],
    ['is of a later version', JSON.stringify({ ...HEADER, version: 2 })],
    ['has no header', JSON.stringify(begun(1))],
  ])('that %s is left alone', (_, text) => {
    directory.create(HEADER).close();
    const [name = ''] = directory.names();
    writeFileSync(directory.fileOf(name), text);
    expect(() => directory.takeOver(name)).toThrow(UnreadableFile);
    expect(readFileSync(directory.fileOf(name), 'utf8')).toBe(text);
    expect(() => readState(directory.fileOf(name))).toThrow(UnreadableFile);
  });

  test('cut anywhere after its header has a state that it had before, or damage', () => {
    const file = directory.create(HEADER);
    const lines = [...life(1), ...life(2)];
    file.write(() => lines);
    file.close();
    const text = readFileSync(file.path, 'utf8');
    const states = lines.map((_, count) => {
      const state = new SessionState(HEADER);
      for (const line of lines.slice(0, count + 1)) state.add(line);
      return JSON.stringify(comparable(state));
    });
    states.push(JSON.stringify(comparable(new SessionState(HEADER))));
    for (let length = text.indexOf('\n') + 1; length < text.length; length += 7) {
      truncateSync(file.path, length);
      const state = readState(file.path);
      expect(states).toContain(JSON.stringify(comparable(state)));
      writeFileSync(file.path, text);
    }
  });
});

test('a directory in which others can write gets no file, and none of its files is read', () => {
  const file = directory.create(HEADER);
  chmodSync(directory.path, 0o777);
  expect(directory.create(HEADER).problem).toContain('other users can write in');
  expect(() => directory.names()).toThrow('other users can write in');
  expect(directory.countUnrecorded()).toBe(false);
  chmodSync(directory.path, 0o700);
  expect(directory.names()).toEqual([nameOf(file)]);
});

test('a file of hooks is written by several processes in turn', () => {
  const first = directory.share('hook-1', () => HEADER, 100);
  const second = directory.share('hook-1', () => HEADER, 100);
  first?.write(() => [begun(1)]);
  second?.write((state) => {
    expect(state.next).toBe(2);
    return [begun(2)];
  });
  first?.write((state) => {
    expect([...state.calls.keys()]).toEqual([idOf(1), idOf(2)]);
    return [];
  });
  first?.closeAs(directory.fileOf('closed'));
  expect(second?.write(() => [begun(3)])).toBe(false);
  expect(second?.problem).not.toBeNull();
  expect(directory.share('hook-1', null, 100)).toBeNull();
  const third = directory.share('hook-1', () => HEADER, 100);
  expect(third?.state.next).toBe(1);
  third?.close();
  expect(readState(directory.fileOf('closed')).calls.size).toBe(2);
});

test('lines and states survive their text, whatever scopes and reasons contain', () => {
  const steps = fc.constantFrom(
    'begun',
    'sent',
    'issued',
    'ended',
    'finalized',
    'evidenced',
    'dropped',
    'refused',
  );
  const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(steps, fc.integer({ min: 1, max: 4 }), word), { maxLength: 40 }),
      (steps) => {
        const state = new SessionState(HEADER);
        const read = new SessionState(HEADER);
        const short = new SessionState(HEADER);
        for (const [step, n, text] of steps) {
          const line = lineOf(step, n, text);
          state.add(line);
          const again = lineIn(linesText([line]).trimEnd());
          expect(again).toEqual(line);
          if (again !== null) read.add(again);
        }
        for (const line of linesText([...state.compacted()]).split('\n')) {
          const again = line === '' ? null : lineIn(line);
          if (again !== null) short.add(again);
        }
        expect(comparable(read)).toEqual(comparable(state));
        // The number of a dropped call can be used again: only those of receipts are signed.
        const { next: _, ...shortened } = comparable(short);
        expect(comparable(state)).toMatchObject(shortened);
      },
    ),
    { numRuns: 300 },
  );
});

function lineOf(step: string, n: number, text: string): Line {
  const call = idOf(n);
  switch (step) {
    case 'begun':
      return begun(n, text);
    case 'sent':
      return { type: 'sent', call, prev: null, at: text };
    case 'issued':
      return { type: 'issued', call, receipt: text, hash: hashOf(n) };
    case 'ended':
      return {
        ...{ type: 'ended', call, body: { status: 'terminal', terminal_reason: text } },
        evidence: { payload: { text }, signature: text },
      };
    case 'finalized':
      return { type: 'finalized', call, hash: hashOf(n) };
    case 'evidenced':
      return { type: 'evidenced', call };
    case 'dropped':
      return { type: 'dropped', call };
    default:
      return { type: 'refused', call, step: 'issue', reason: text };
  }
}

test('no text is read as a line or a header by accident', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(headerIn(text)).toBeNull();
      expect(lineIn(text)).toBeNull();
    }),
  );
});

test('calls without a record are counted, by several processes at once', () => {
  expect(directory.unrecorded()).toBeNull();
  directory.create(HEADER).close();
  expect(directory.unrecorded()).toBeNull();
  expect([directory.countUnrecorded(), new SpoolDirectory(directory.path).countUnrecorded()]).toEqual([
    true,
    true,
  ]);
  expect(directory.unrecorded()?.calls).toBe(2);
});

test.if(canMount)(
  'a full disk takes no entry, still counts it, and takes all once there is space',
  async () => {
    const disk = join(place.path, 'disk');
    await Bun.write(join(disk, '.keep'), '');
    expect(mount(disk, 64)).toBe(true);
    try {
      const full = new SpoolDirectory(join(disk, 'capture'));
      const file = full.create(HEADER);
      const filler = join(disk, 'filler');
      try {
        appendFileSync(filler, Buffer.alloc(128 * 1024));
      } catch {
        // The disk is full now.
      }
      for (let n = 1; n <= 100; n += 1) file.write(() => [begun(n)]);
      expect(file.problem).toContain('ENOSPC');
      expect(await file.sync()).toBe(false);
      expect(full.countUnrecorded()).toBe(true);
      expect(full.unrecorded()?.calls).toBe(1);
      expect(readState(file.path).damage).toBe(0);
      truncateSync(filler, 0);
      file.write(() => [begun(101)]);
      expect(file.problem).toBeNull();
      expect(await file.sync()).toBe(true);
      expect(readState(file.path).calls.size).toBe(101);
      file.close();
      expect(existsSync(`${file.path}.new`)).toBe(false);
    } finally {
      unmount(disk);
    }
  },
);
