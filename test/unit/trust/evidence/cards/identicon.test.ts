import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { drawAvatar } from '../../../../../src/trust/evidence/cards/avatar.ts';
import { PALETTE } from '../../../../../src/trust/evidence/cards/card.ts';
import { HUES, identicon } from '../../../../../src/trust/evidence/cards/identicon.ts';
import { parseSvg } from '../../../../support/svg.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes.toHex());

describe('an identicon', () => {
  // People recognize an agent by its identicon: a change of these values changes the picture of every agent.
  test.each([
    ['0'.repeat(64), '19c2171427c03e77a75e69a047e295587bdf8854add4d2c0f6a70eabcd55e030'],
    ['f'.repeat(64), 'cc11ef57fc9e0dbea23a5ed19d4977a0a8b5395a9cc13a5a8e175f6344472bfc'],
    [sha256Hex('a'), '10a2e118eb5c07a972fd1a70109e70da2d564d22ffed371b4e871a8f768f7520'],
    [sha256Hex('b'), 'ccdffec069fb627eb895a5cb8ee927603c8d5c6cbda23ae7b29271d5157a5541'],
    [sha256Hex('c'), 'e168de8a3e34e7c8be55ae2d579159fafaa368a2d8bd69b97b35c0d851f9ff40'],
  ])('of %s is the same for ever', (of, digest) => {
    expect(sha256Hex(identicon(of))).toBe(digest);
  });

  test('of any hash is well-formed, small, plain ASCII, and names nothing that another one names', () => {
    fc.assert(
      fc.property(hash, (of) => {
        const { svg } = drawAvatar(of);
        const root = parseSvg(svg);
        expect([root.getAttribute('viewBox'), root.getAttribute('width')]).toEqual(['0 0 96 96', '96']);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is
        expect(svg).toMatch(/^[\x00-\x7f]{500,6000}$/);
        for (const [, name] of svg.matchAll(/class="([^"]+)"/g)) expect(name).toContain(of.slice(0, 12));
      }),
      { numRuns: 200 },
    );
  });

  test('looks different for each of 20,000 hashes, and for those that differ in one digit', () => {
    // What is drawn, without the names of classes, which contain the hash.
    const looks = (of: string): string => identicon(of).replaceAll(of.slice(0, 12), '');
    const seen = new Set(Array.from({ length: 20_000 }, (_, index) => looks(sha256Hex(String(index)))));
    expect(seen.size).toBe(20_000);
    expect(looks('0'.repeat(64))).not.toBe(looks(`${'0'.repeat(63)}1`));
  });
});

describe('colours, by WCAG 2', () => {
  test('of an identicon stand out by 3:1 from any ground that they may have, light and dark', () => {
    for (const mode of [0, 1] as const) {
      for (const { body, accent } of HUES) {
        for (const { background } of HUES) {
          expect(contrast(body[mode], background[mode])).toBeGreaterThan(3);
          expect(contrast(accent[mode], background[mode])).toBeGreaterThan(3);
        }
      }
    }
  });

  test('of a card can be read, 4.5:1', () => {
    for (const mode of [0, 1] as const) {
      for (const [text, on] of [
        [PALETTE.text, PALETTE.background],
        [PALETTE.muted, PALETTE.background],
        [PALETTE.good, PALETTE.goodBackground],
        [PALETTE.bad, PALETTE.badBackground],
      ]) {
        expect(contrast(text?.[mode] ?? '', on?.[mode] ?? '')).toBeGreaterThan(4.5);
      }
    }
  });
});

/** Contrast ratio (WCAG 2.2) of two colours of the form #rrggbb. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [...Uint8Array.fromHex(colour.slice(1))].map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
