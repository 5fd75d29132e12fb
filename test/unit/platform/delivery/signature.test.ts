import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from '../../../../src/platform/delivery/signature.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('the signature headers of a webhook', () => {
  test('hold for the reference implementation, whatever the body', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (body, bytes) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const headers = signatureHeaders(secret, { id: 'msg_1', timestamp: now(), eventType: 'a', body });
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
        expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
      }),
    );
  });

  test("are those of the reference implementation's own tests", () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, eventType: 'test' };
    const headers = signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
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
  ])('are not made with %p', (secret) => {
    const message = { id: 'msg_1', timestamp: 1, eventType: 'a', body: '' };
    expect(() => signatureHeaders(secret, message)).toThrow(TypeError);
  });
});

test('the secrets of webhooks are 32 random bytes, each another', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
