import { InvalidValue, integer, Setting, textMatching } from '../../../platform/config/setting.ts';

/** The names of payment methods, as Stripe writes them. */
const METHODS = /^[a-z][a-z0-9_]{0,39}(?:,[a-z][a-z0-9_]{0,39})*$/;

/** Settings of the payment processor. */
export const processorSettings = {
  processor: new Setting<'stripe' | 'sandbox' | null>('billing.processor', {
    argument: '<stripe|sandbox>',
    description:
      'who takes payments: stripe, or the built-in sandbox, whose payments are made up and whose credits cannot be withdrawn',
    fallback: null,
    fallbackText: 'stripe if billing.stripe.secret_key is set, else none',
    parse(value) {
      if (value === 'stripe' || value === 'sandbox') return value;
      throw new InvalidValue('is not one of stripe, sandbox');
    },
  }),
  stripeSecretKey: textMatching<null>(
    'billing.stripe.secret_key',
    /^[rs]k_(?:live|test)_[A-Za-z0-9_]{1,255}$/,
    'is not a secret or restricted key of Stripe, such as sk_live_…, rk_live_… or sk_test_…',
    { description: 'the secret or restricted API key of Stripe', fallback: null, secret: true },
  ),
  stripeWebhookSecret: textMatching<null>(
    'billing.stripe.webhook_secret',
    /^whsec_[\x21-\x7e]{1,255}$/,
    'is not the signing secret of a webhook endpoint of Stripe, whsec_…',
    {
      description: 'the signing secret of the webhook endpoint at Stripe that sends to /api/billing/webhook',
      fallback: null,
      secret: true,
    },
  ),
  stripeApiBase: new Setting<URL>('billing.stripe.api_base', {
    argument: '<url>',
    description: 'the URL of the API of Stripe; http only to this machine, for tests',
    fallback: new URL('https://api.stripe.com'),
    fallbackText: 'https://api.stripe.com',
    parse: apiBaseOf,
  }),
  stripePaymentMethods: textMatching<string>(
    'billing.stripe.payment_methods',
    METHODS,
    'is not a list of payment methods, such as card,crypto',
    {
      argument: '<names>',
      description:
        'the payment methods for top-ups, by the names of Stripe; crypto is stablecoins. Subscriptions are paid by card',
      fallback: 'card,crypto',
    },
  ),
  checkouts: integer('limits.checkout', 1, 1_000_000, {
    description: 'checkout sessions per minute and client address',
    fallback: 10,
  }),
};

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function apiBaseOf(value: string): URL {
  const url = URL.parse(value);
  const isPlain = url !== null && `${url.search}${url.hash}${url.username}${url.password}` === '';
  if (!isPlain || url.pathname !== '/') throw new InvalidValue('is not a URL of a host, without a path');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!isSafe) throw new InvalidValue('is neither https:// nor http:// to this machine');
  return url;
}
