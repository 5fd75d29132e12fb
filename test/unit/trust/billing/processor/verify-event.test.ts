import { describe, expect, test } from 'bun:test';
import { Stripe } from 'stripe';
import { verifiedEvent } from '../../../../../src/trust/billing/processor/verify-event.ts';
import { stripeSignature } from '../../../../support/stripe-server.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const SECRET = 'whsec_test';
const NOW_S = 1_900_000_000;
const clock = new VirtualTime(NOW_S * 1000);

const EVENT = {
  id: 'evt_1',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: NOW_S,
  data: { object: { id: 'cs_1', object: 'checkout.session', name: 'ü€' } },
  livemode: false,
  type: 'checkout.session.completed',
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function verified(payload: unknown, changes: { timestamp?: number; secret?: string } = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const header = await stripeSignature(text, { secret: SECRET, timestamp: NOW_S, ...changes });
  return verifiedEvent(Stripe.webhooks, bytes(text), header, { secret: SECRET, clock });
}

const withHeader = (header: string | null, body = bytes(JSON.stringify(EVENT))) =>
  verifiedEvent(Stripe.webhooks, body, header, { secret: SECRET, clock });

describe('an event', () => {
  test('that is signed is returned', async () => {
    expect(await verified(EVENT)).toMatchObject(EVENT);
  });

  test('is accepted up to 300 s on both sides of the clock of the service', async () => {
    for (const offset of [-300, -1, 0, 1, 300]) {
      expect(await verified(EVENT, { timestamp: NOW_S + offset })).toMatchObject({ id: 'evt_1' });
    }
    for (const [offset, what] of [
      [-301, '301 s old'],
      [301, '301 s ahead'],
      [86_400, 'ahead'],
    ] as const) {
      const refused = verified(EVENT, { timestamp: NOW_S + offset });
      await expect(refused).rejects.toMatchObject({ code: 'invalid_proof' });
      await expect(refused).rejects.toThrow(what);
      // The secret is right, so the message must not suspect it.
      await expect(refused).rejects.toThrow('check the clock of the service');
    }
  });

  test('with another secret, another body or another time is refused', async () => {
    await expect(verified(EVENT, { secret: 'whsec_other' })).rejects.toMatchObject({ code: 'invalid_proof' });
    const text = JSON.stringify(EVENT);
    const header = await stripeSignature(text, { secret: SECRET, timestamp: NOW_S });
    for (const changed of [
      text.replace('cs_1', 'cs_2'),
      `${text} `,
      `\ufeff${text}`,
      text.slice(0, -1),
      '',
    ]) {
      await expect(withHeader(header, bytes(changed))).rejects.toMatchObject({ code: 'invalid_proof' });
    }
    await expect(withHeader(header.replace(`t=${NOW_S}`, `t=${NOW_S + 1}`))).rejects.toMatchObject({
      code: 'invalid_proof',
    });
    await expect(withHeader(header, Uint8Array.of(...bytes(text), 0xff))).rejects.toMatchObject({
      code: 'invalid_proof',
    });
  });

  test('with a header of another form is refused, even with a correct signature in it', async () => {
    const text = JSON.stringify(EVENT);
    const header = await stripeSignature(text, { secret: SECRET, timestamp: NOW_S });
    const [, signature = ''] = header.split(',');
    for (const wrong of [
      null,
      '',
      'x',
      signature,
      `t=${NOW_S}`,
      `t=,${signature}`,
      `t=1e9,${signature}`,
      `t=-5,${signature}`,
      `t=1,${header}`,
      `${header},t=${NOW_S}`,
      `t=${NOW_S},${signature.replace('v1', 'v0')}`,
      `${header},${'v1=00,'.repeat(500)}`,
    ]) {
      await expect(withHeader(wrong)).rejects.toMatchObject({ code: 'invalid_proof' });
    }
    expect(await withHeader(`t=${NOW_S},v1=${'0'.repeat(64)},${signature}`)).toMatchObject({ id: 'evt_1' });
  });

  test('that is signed but is no event is a validation error', async () => {
    const { data, ...rest } = EVENT;
    for (const wrong of [
      '[]',
      'null',
      '7',
      '{',
      rest,
      { ...EVENT, data: { object: [] } },
      { ...EVENT, id: 7 },
      { ...EVENT, id: 'x'.repeat(256) },
      { ...EVENT, livemode: 'false' },
      { ...EVENT, object: 'v2.core.event', data },
      { ...EVENT, created: 1.5 },
    ]) {
      await expect(verified(wrong)).rejects.toMatchObject({ code: 'validation_error' });
    }
  });
});
