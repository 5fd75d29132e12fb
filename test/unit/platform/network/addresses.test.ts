import { describe, expect, test } from 'bun:test';
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { checkTarget, TargetRefused } from '../../../../src/platform/delivery/target.ts';
import { isPublicAddress } from '../../../../src/platform/network/addresses.ts';

/** IANA's IPv4 special-purpose address registry, multicast, and Azure's wire server. */
const IPV4_BLOCKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** IANA's IPv6 special-purpose address registry, and what is not handed out. */
const IPV6_BLOCKS = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '4000::/3',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const refusedIPv4 = new BlockList();
for (const block of IPV4_BLOCKS) {
  const [network = '', bits] = block.split('/');
  refusedIPv4.addSubnet(network, Number(bits), 'ipv4');
}

const ipv4Number = fc.constantFrom(...IPV4_BLOCKS).chain((block) => {
  const [network = '', bits] = block.split('/');
  return within(BigInt(network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)), 32, bits);
});
const ipv6Number = fc.constantFrom(...IPV6_BLOCKS).chain((block) => {
  const [network = '', bits] = block.split('/');
  return within(ipv6Value(network), 128, bits);
});

/** Any number of a block; its first and last ones too. */
function within(network: bigint, width: number, bits: string | undefined): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: network, max: network + (1n << BigInt(width - Number(bits))) - 1n });
}

function ipv6Value(text: string): bigint {
  const [head = '', tail = ''] = text
    .split('::')
    .map((half) => half.split(':').filter((part) => part !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].reduce((sum, part) => (sum << 16n) + BigInt(`0x${part}`), 0n);
}

function dotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function colons(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  ).join(':');
}

const BASES = [
  (part: bigint) => part.toString(),
  (part: bigint) => `0x${part.toString(16)}`,
  (part: bigint) => `0X${part.toString(16).toUpperCase().padStart(10, '0')}`,
  (part: bigint) => (part === 0n ? '0' : `0${part.toString(8)}`),
];

/**
 * Every way to write an IPv4 host: one to four parts, each in a base of its own, perhaps a dot at the end,
 * perhaps disguised.
 */
const ipv4Spelling = (address: fc.Arbitrary<bigint>) =>
  fc
    .record({
      value: address,
      parts: fc.integer({ min: 1, max: 4 }),
      bases: fc.array(fc.constantFrom(...BASES), { minLength: 4, maxLength: 4 }),
      dot: fc.constantFrom('', '.'),
      disguise: fc.constantFrom<(text: string) => string>(
        (text) => text,
        (text) => text.replace(/[0-9]/, (digit) => `%3${digit}`),
        (text) => text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        (text) => text.replace('.', '\u3002'),
      ),
    })
    .map(({ value, parts, bases, dot, disguise }) => {
      const widths = Array.from({ length: parts }, (_, at) => (at < parts - 1 ? 8n : 8n * BigInt(5 - parts)));
      let left = 32n;
      const texts = widths.map((width, at) => {
        left -= width;
        return bases[at]?.((value >> left) & ((1n << width) - 1n));
      });
      return disguise(texts.join('.')) + dot;
    });

/** IPv6 addresses that lead to an IPv4 one, as a URL or a resolver may write them. */
const embedded: ((value: bigint) => string)[] = [
  (value) => `::ffff:${dotted(value)}`,
  (value) => colons((0xffffn << 32n) + value),
  (value) => `64:ff9b::${dotted(value)}`,
  (value) => colons((0x64ff9bn << 96n) + value),
];
const tunnelled: ((value: bigint) => string)[] = [
  (value) => `::${dotted(value)}`,
  (value) => `::ffff:0:${dotted(value)}`,
  (value) => colons((0x2002n << 112n) + (value << 80n) + 1n),
  (value) => colons((0x2001_0000n << 96n) + (value ^ 0xffffffffn)),
  (value) => colons((0x2001_0000n << 96n) + (value << 64n) + 1n),
];

const rules = { allowPrivate: false, resolve: () => Promise.reject(new Error('nobody asks')) };

function refusal(host: string): Promise<unknown> {
  return checkTarget(`https://${host}/hook`, rules, 'somebody').catch((error: unknown) => error);
}

describe('addresses that are not of the public internet', () => {
  test('in every refused block, in every spelling', async () => {
    await fc.assert(
      fc.asyncProperty(ipv4Spelling(ipv4Number), async (host) => {
        expect(await refusal(host)).toBeInstanceOf(TargetRefused);
      }),
      { numRuns: 2000 },
    );
  });

  test('in every IPv6 form of an IPv4 address', async () => {
    await fc.assert(
      fc.asyncProperty(ipv4Number, fc.constantFrom(...embedded, ...tunnelled), async (value, form) => {
        expect(isPublicAddress(form(value))).toBe(false);
        expect(await refusal(`[${form(value)}]`)).toBeInstanceOf(TargetRefused);
      }),
      { numRuns: 2000 },
    );
  });

  test('in every refused IPv6 block', async () => {
    await fc.assert(
      fc.asyncProperty(ipv6Number, async (value) => {
        const address = colons(value);
        expect(isPublicAddress(address)).toBe(false);
        expect(await refusal(`[${address.toUpperCase()}]`)).toBeInstanceOf(TargetRefused);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '::',
    '::1',
    'fd00:ec2::254',
    'fe80::1%eth0',
    '2606:4700::1%1',
    '',
    'example.org',
    '8.8.8',
    '8.8.8.8 ',
    '08.8.8.8',
  ])('%p', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('addresses of the public internet', () => {
  test('are all others, in the IPv6 forms of translators too', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (value) => {
        const isPublic = !refusedIPv4.check(dotted(value), 'ipv4');
        for (const form of [dotted, ...embedded]) expect(isPublicAddress(form(value))).toBe(isPublic);
        for (const form of tunnelled) expect(isPublicAddress(form(value))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['1.1.1.1', '172.32.0.1', '100.128.0.0', '198.20.0.1', '223.255.255.255'])('%p', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(['2606:4700:4700::1111', '2a00:1450:4001::8a', '2001:4860:4860::8888', '64:ff9b::8.8.8.8'])(
    '%p',
    async (address) => {
      expect(isIP(address)).toBe(6);
      expect(isPublicAddress(address)).toBe(true);
      expect(await refusal(`[${address}]`)).toBeTypeOf('string');
    },
  );
});
