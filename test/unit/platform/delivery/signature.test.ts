import { describe, expect, test } from 'bun:test';
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from '../../../../src/platform/delivery/signature.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('the signature headers of a webhook', () => {
  test('are the HMAC of any id, timestamp and body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ id: fc.uuid(), timestamp: fc.nat(2 ** 32), body: fc.string({ unit: 'grapheme' }) }),
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        async ({ id, timestamp, body }, bytes) => {
          const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
          const mac = createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`).digest('base64');
          expect(await signatureHeaders(secret, { id, timestamp, eventType: 'a', body })).toEqual({
            'webhook-id': id,
            'webhook-timestamp': String(timestamp),
            'webhook-signature': `v1,${mac}`,
          });
        },
      ),
    );
  });

  test('hold for a receiver with the secret, and for no other body or secret', async () => {
    const secret = newWebhookSecret();
    const body = '{"a":1}';
    const headers = await signatureHeaders(secret, { id: 'msg_1', timestamp: now(), eventType: 'a', body });
    expect(new Webhook(secret).verify(body, headers)).toEqual({ a: 1 });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
  });

  test("are those of the reference implementation's own tests", async () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, eventType: 'test' };
    const headers = await signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      ...message,
      body: '{"test": 2432232314}',
    });
    expect(headers).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test.each([
    '',
    'whsec_',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    `whsec_${randomBytes(23).toString('base64')}`,
    `whsec_${randomBytes(65).toString('base64')}`,
    `whsec_${'!'.repeat(32)}`,
  ])('are not made with %p', async (secret) => {
    const message = { id: 'msg_1', timestamp: 1, eventType: 'a', body: '' };
    await expect(signatureHeaders(secret, message)).rejects.toThrow(TypeError);
  });
});

test('the secrets of webhooks are 32 random bytes, each another', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
