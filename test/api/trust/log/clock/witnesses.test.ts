import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatVerifierKey, signatureLine } from '../../../../../src/proof/log/note.ts';
import { showClock } from '../../../../../src/trust/log/clock/show.ts';
import { finalized, SUCCESS } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { newNoteSigner } from '../../../../unit/proof/log/signed-notes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let directory: ReturnType<typeof scratch>;
let time: VirtualTime;
let closing: (() => Promise<void>)[];

beforeEach(() => {
  directory = scratch();
  time = new VirtualTime();
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  directory.dispose();
});

/**
 * A server that cosigns everything, by a clock that differs from that of the service by some milliseconds.
 */
function cosigner(name: string) {
  const signer = newNoteSigner(name, 'cosignature');
  const witness = { line: '', ahead: 0, requests: 0 };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      witness.requests++;
      const [, note = ''] = (await request.text()).split(/\n\n(.*)/s);
      const text = `${note.split('\n\n')[0]}\n`;
      return new Response(signatureLine(signer.sign(text, Math.floor((time.now() + witness.ahead) / 1000))));
    },
  });
  closing.push(async () => server.stop(true));
  witness.line = `witness ${name} ${formatVerifierKey(signer.key)} http://127.0.0.1:${server.port}\n`;
  return witness;
}

async function openWith(witnesses: readonly { line: string }[]): Promise<TrustApp> {
  const policy = join(directory.path, 'witnesses.policy');
  writeFileSync(policy, `${witnesses.map(({ line }) => line).join('')}quorum none\n`);
  const settings = { 'log.witness_policy': policy };
  return openTrustApp(settings, time, join(directory.path, 'data'));
}

async function run(app: TrustApp, pick: RegExp): Promise<void> {
  for (const task of (await app.service.background()).tasks) if (pick.test(task.name)) await task.run();
}
const ask = (app: TrustApp): Promise<void> => run(app, /^ask /);
const state = ({ service }: TrustApp) => showClock(service.trust).state;

describe('a clock that was set', () => {
  test.each<[string, number[], 'right' | 'wrong']>([
    ['one of two witnesses', [0, -DAY], 'wrong'],
    ['both witnesses, within a minute', [59_000, -59_000], 'right'],
    ['none', [2 * HOUR, -2 * HOUR], 'wrong'],
  ])('is judged by cosignatures of what is published already: %s', async (_, differences, expected) => {
    const witnesses = [cosigner('w1.example'), cosigner('w2.example')];
    const app = await openWith(witnesses);
    await finalized(app.own);
    await app.service.trust.log.publisher.publish();
    await ask(app);
    const cosigned = witnesses.map(({ requests }) => requests);
    await ask(app);
    expect(witnesses.map(({ requests }) => requests)).toEqual(cosigned);
    time.jump(DAY);
    for (const [index, witness] of witnesses.entries()) witness.ahead = differences[index] ?? 0;
    await ask(app);
    expect(await state(app)).toBe(expected);
    expect((await app.own.issue({ expiry: '2099-01-01T00:00:00Z' })).status).toBe(
      expected === 'right' ? 201 : 503,
    );
    await app.close();
  });

  test('is confirmed by the only witness of the policy, once the clock is that of the witness', async () => {
    const witness = cosigner('w1.example');
    const app = await openWith([witness]);
    await ask(app);
    time.jump(-DAY);
    witness.ahead = DAY;
    await ask(app);
    expect(await state(app)).toBe('wrong');
    time.jump(DAY);
    witness.ahead = 0;
    expect(await state(app)).toBe('right');
    await app.close();
  });
});

describe('the clock of a start that is behind', () => {
  const BEHIND = 10 * MINUTE;

  /** Issues a receipt, publishes it, and lets two minutes pass. @returns its id */
  async function published(app: TrustApp): Promise<string> {
    const { body } = await app.own.issue({ expiry: '2099-01-01T00:00:00Z' });
    await app.service.trust.log.publisher.publish();
    time.advance(2 * MINUTE);
    return String(body.receipt_id);
  }

  async function finalizedAt(app: TrustApp, id: string): Promise<number> {
    expect((await app.own.finalize(id, SUCCESS)).status).toBe(200);
    const { body } = await app.own.get(`/api/v1/receipts/${id}/versions`);
    const [newest] = [body.versions].flat();
    return Date.parse(Object(newest).signed_at);
  }

  test('dates nothing before the cosignatures of what it follows, which came late', async () => {
    const first = await openWith([cosigner('w1.example')]);
    const id = await published(first);
    await ask(first);
    const cosigned = time.now();
    await first.close();
    time.jump(-BEHIND);
    const app = await openWith([cosigner('w1.example')]);
    expect(await state(app)).toBe('wrong');
    expect(await finalizedAt(app, id)).toBeGreaterThanOrEqual(Math.floor(cosigned / 1000) * 1000);
    await app.close();
  });

  test('has no checkpoint cosigned later than an entry that it lacks', async () => {
    const witness = cosigner('w1.example');
    const first = await openWith([witness]);
    const id = await published(first);
    await first.close();
    time.jump(-BEHIND);
    const app = await openWith([witness]);
    await finalizedAt(app, id);
    time.jump(BEHIND);
    const { publisher } = app.service.trust.log;
    const requests = async (): Promise<number> => {
      await ask(app);
      return witness.requests;
    };
    const asked = await requests();
    expect(asked).toBeGreaterThan(0);
    expect(publisher.latest('keys').cosignatures).toHaveLength(1);
    expect(publisher.latest('receipts').cosignatures).toEqual([]);
    // The witness is not asked again and again.
    expect(await requests()).toBe(asked);
    await publisher.publish();
    time.advance(5000);
    await ask(app);
    expect(publisher.latest('receipts').cosignatures).toHaveLength(1);
    await app.close();
  });
});

describe('the clock of a start after a week', () => {
  test('is confirmed by the cosignatures of its first checkpoints', async () => {
    const witnesses = [cosigner('w1.example'), cosigner('w2.example')];
    const first = await openWith(witnesses);
    await run(first, /^watch the clock$/);
    await first.close();
    time.advance(7 * DAY);
    const app = await openWith(witnesses);
    expect(await state(app)).toBe('unconfirmed');
    await ask(app);
    expect(await state(app)).toBe('right');
    await run(app, /^watch the clock$/);
    await app.close();
    const next = await openWith(witnesses);
    expect(await state(next)).toBe('right');
    await next.close();
  });

  test('waits for its witnesses, and 24 hours of running do not replace them', async () => {
    const witnesses = [cosigner('w1.example'), cosigner('w2.example')];
    const first = await openWith(witnesses);
    await run(first, /^watch the clock$/);
    await first.close();
    time.advance(7 * DAY);
    const [one] = witnesses;
    if (one !== undefined) one.ahead = -7 * DAY;
    const app = await openWith(witnesses);
    await ask(app);
    time.advance(2 * DAY);
    await run(app, /^watch the clock$/);
    expect(await state(app)).toBe('unconfirmed');
    await app.close();
  });
});
