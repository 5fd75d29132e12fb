import { describe, expect, test } from 'bun:test';
import { InvalidValue } from '../../../../../src/platform/config/setting.ts';
import { processorChoiceOf } from '../../../../../src/trust/billing/processor/choice.ts';

const choose = (settings: Record<string, string>) => processorChoiceOf(new Map(Object.entries(settings)));

const STRIPE = {
  'billing.stripe.secret_key': 'sk_test_abc123',
  'billing.stripe.webhook_secret': 'whsec_abc123',
};

describe('the settings', () => {
  test('choose nobody, the sandbox, or Stripe', () => {
    expect(choose({})).toBeNull();
    expect(choose({ 'billing.processor': 'sandbox' })).toEqual({ name: 'sandbox' });
    expect(choose(STRIPE)).toEqual({
      name: 'stripe',
      secretKey: 'sk_test_abc123',
      webhookSecret: 'whsec_abc123',
      apiBase: new URL('https://api.stripe.com'),
      paymentMethods: ['card', 'crypto'],
      isLive: false,
    });
    expect(choose({ ...STRIPE, 'billing.processor': 'stripe' })).toMatchObject({ name: 'stripe' });
    expect(choose({ ...STRIPE, 'billing.stripe.secret_key': 'rk_live_abc' })).toMatchObject({ isLive: true });
  });

  test('are refused if they contradict each other or are incomplete, with the name of what is wrong', () => {
    for (const [settings, name] of [
      [{ ...STRIPE, 'billing.processor': 'sandbox' }, 'billing.stripe.secret_key'],
      [{ 'billing.processor': 'stripe' }, 'billing.stripe.secret_key'],
      [{ 'billing.stripe.webhook_secret': 'whsec_a' }, 'billing.stripe.secret_key'],
      [{ 'billing.stripe.secret_key': 'sk_test_a' }, 'billing.stripe.webhook_secret'],
    ] as const) {
      expect(() => choose(settings)).toThrow(name);
    }
  });

  test('take no value of another form, and say nothing of a secret', () => {
    for (const settings of [
      { 'billing.processor': 'paypal' },
      { ...STRIPE, 'billing.stripe.secret_key': 'pk_test_abc' },
      { ...STRIPE, 'billing.stripe.secret_key': 'sk_test_' },
      { ...STRIPE, 'billing.stripe.webhook_secret': 'secret' },
      { ...STRIPE, 'billing.stripe.api_base': 'http://api.stripe.com' },
      { ...STRIPE, 'billing.stripe.api_base': 'https://api.stripe.com/v1' },
      { ...STRIPE, 'billing.stripe.api_base': 'https://user@api.stripe.com' },
      { ...STRIPE, 'billing.stripe.api_base': 'ftp://127.0.0.1' },
      { ...STRIPE, 'billing.stripe.payment_methods': 'card, crypto' },
    ]) {
      expect(() => choose(settings)).toThrow(InvalidValue);
      expect(() => choose(settings)).not.toThrow(/abc|secret$/);
    }
    expect(choose({ ...STRIPE, 'billing.stripe.api_base': 'http://127.0.0.1:12111' })).toMatchObject({
      name: 'stripe',
    });
  });
});
