import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import type { Delivery } from '../../../../scripts/vectors/webhook.ts';
import { vectorJson } from '../../../support/vectors.ts';

const deliveries = vectorJson<Delivery[]>('webhook/deliveries.json');

afterEach(() => {
  setSystemTime();
});

function accepts({ secret, at, headers, body }: Delivery): boolean {
  setSystemTime(new Date(at));
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

test.each(deliveries)('a receiver with an independent library takes or refuses: $name', (delivery) => {
  expect(accepts(delivery)).toBe(delivery.verdict === 'valid');
});

test('a receiver refuses the genuine delivery with any of its signed parts changed', () => {
  const [genuine] = deliveries;
  if (genuine === undefined) throw new Error('there is a genuine delivery');
  const { body, headers } = genuine;
  const flipped = (value: string, at: number): string =>
    value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1);
  const changed: Delivery[] = [
    ...[...body].map((_, at) => ({ ...genuine, body: flipped(body, at) })),
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name) =>
      [...(headers[name] ?? '')].map((_, at) => ({
        ...genuine,
        headers: { ...headers, [name]: flipped(headers[name] ?? '', at) },
      })),
    ),
  ];
  expect(changed.length).toBeGreaterThan(300);
  expect(changed.filter(accepts).map(({ headers }) => headers)).toEqual([]);
});
