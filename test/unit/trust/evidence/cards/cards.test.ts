import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { escapeXml } from '../../../../../src/platform/page/escape.ts';
import type { Agent } from '../../../../../src/trust/evidence/cards/card-facts.ts';
import { drawAgent } from '../../../../../src/trust/evidence/cards/get-agent-attestation.ts';
import { drawArtifact } from '../../../../../src/trust/evidence/cards/get-artifact-attestation.ts';
import { truncateToWidth, visibleText } from '../../../../../src/trust/evidence/cards/svg.ts';
import { parseSvg, wordsOf } from '../../../../support/svg.ts';

const AT = '2026-11-21T14:02:11.123Z';

function agent(name: string | null, revokedAt: string | null = null): Agent {
  return {
    agentSeq: 1,
    subjectCommitment: sha256Hex('agent'),
    publicKey: sha256Hex('key'),
    context: 'passport-v1',
    name,
    passportId: `pass_${'0'.repeat(32)}`,
    state: revokedAt === null ? 'ISSUED' : 'REVOKED',
    sponsorSeq: 1,
    issuedAt: '2026-01-04T10:00:00.000Z',
    revokedAt,
    revocationReason: null,
    frozenSince: null,
    frozenReason: null,
  };
}

function card(
  name: string | null,
  {
    issuer = 'trust.example',
    success = 0.9823,
    sample = 412,
    evidence = 1204,
    revokedAt = null,
  }: {
    issuer?: string;
    success?: number | null;
    sample?: number;
    evidence?: number;
    revokedAt?: string | null;
  } = {},
) {
  const totals = { evidence_count: evidence, artifact_count: 0, failure_count: 0, receipts_count: 0 };
  const rolling_30d = { success_rate: success, failure_rate: null, sample_size: sample };
  const performance = { totals, rolling_30d, trajectory_7d: null, score: 96 };
  return drawAgent({ agent: agent(name, revokedAt), issuer, at: AT, performance });
}

function artifact(name: string | null, kind: 'commit' | 'evidence', revokedAt: string | null = null) {
  const hash = sha256Hex('artifact');
  return drawArtifact({
    agent: agent(name, revokedAt),
    issuer: 'trust.example',
    at: AT,
    artifact: {
      hash,
      kind,
      eventHash: sha256Hex('event'),
      sourceType: 'github_push_webhook',
      outcome: 'success',
      anchoredAt: '2026-11-19T08:30:00.000Z',
    },
  });
}

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 256 }),
  fc.string({ unit: 'grapheme', maxLength: 256 }),
  fc
    .array(
      fc.constantFrom(
        '<script>',
        '</text>',
        '</svg>',
        '" onload="x',
        "'",
        '&',
        '&#0;',
        ']]>',
        '<!--',
        '\u0000',
        '\ud800',
        '\udfff',
        '\ufffe',
        '\u202e',
        '\u2069',
        '\u200f',
        '\u0301',
        '👩‍👩‍👧‍👦',
        'ש',
        'W',
        'https://x.example/',
        'url(x)',
        '<?xml?>',
        '<!DOCTYPE x>',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);

describe('a card', () => {
  test('is well-formed and harmless, whatever the agent and the service are called', () => {
    fc.assert(
      fc.property(anyName, anyName, fc.boolean(), (name, issuer, isRevoked) => {
        const revokedAt = isRevoked ? AT : null;
        for (const { svg } of [card(name, { issuer, revokedAt }), artifact(name, 'commit', revokedAt)]) {
          const root = parseSvg(svg);
          expect(root.getAttribute('viewBox')).toBe('0 0 640 324');
          expect(svg.length).toBeLessThan(10_000);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('contains all required text, also for screen readers', () => {
    const root = parseSvg(card('release-bot').svg);
    const words = wordsOf(root).map((word) => word.replace(/[\u2068\u2069]/g, ''));
    expect(words).toEqual([
      'release-bot',
      'ISSUED',
      `${sha256Hex('agent').slice(0, 8)}…${sha256Hex('agent').slice(-8)}`,
      'Enrolled 2026-01-04',
      ...['Score', '96', 'of 100'],
      ...['Success, 30 days', '98.2%', 'of 412 events'],
      ...['Evidence', '1,204', 'signed, all time'],
      'Measured by trust.example',
      '2026-11-21 14:02 UTC',
    ]);
    const [title, description] = [...root.childNodes].map(({ textContent }) => textContent);
    expect(title).toBe('release-bot: ISSUED');
    for (const part of [sha256Hex('agent'), '98.2% of 412 events', '96 of 100', '1204', '?format=json']) {
      expect(description).toContain(part);
    }
  });

  test.each([
    ['nothing happened yet', { success: null, sample: 0, evidence: 0 }, ['–', '–', 'no events', '0']],
    ['one event', { success: 1, sample: 1, evidence: 1 }, ['100%', 'of 1 event']],
    ['nearly perfect is not perfect', { success: 0.9999, sample: 10_000 }, ['99.9%', 'of 10,000 events']],
    ['many', { sample: 999_999, evidence: 1_299_999 }, ['of 999.9K events', '1.2M']],
    ['revoked', { revokedAt: '2026-11-20T00:00:00.000Z' }, ['REVOKED', 'Revoked 2026-11-20']],
  ])('%s', (_name, metrics, shown) => {
    const words = wordsOf(parseSvg(card('a', metrics).svg)).map((word) =>
      word.replace(/[\u2068\u2069]/g, ''),
    );
    for (const word of shown) expect(words).toContain(word);
  });

  test('of a commit, of evidence, and of an agent that was revoked since', () => {
    const shown = (kind: 'commit' | 'evidence', revokedAt: string | null) =>
      wordsOf(parseSvg(artifact('release-bot', kind, revokedAt).svg)).join('|');
    const hash = sha256Hex('artifact').slice(0, 10);
    expect(shown('commit', null)).toContain(`Commit ${hash}\u2069|ANCHORED|`);
    expect(shown('evidence', null)).toContain(`Evidence ${hash}`);
    expect(shown('evidence', AT)).toContain('AGENT REVOKED');
    for (const part of ['by release-bot', '2026-11-19', '08:30 UTC', 'Success', 'GitHub push'])
      expect(shown('commit', null)).toContain(part);
  });

  test('stays the same, tag and all, for the minute that it names', () => {
    expect(card('a').etag).toBe(card('a').etag);
    expect(card('a').etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(card('a').etag).not.toBe(card('b').etag);
  });
});

describe('a name on a card', () => {
  test.each([
    ['controls and marks of direction', 'a\u0000b\u202ec\u2066d\u001b', 'abcd'],
    ['lines and spaces', ' a\n\t b\u2028c ', 'a b c'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['an emoji of several', '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['nothing', '', null],
    ['nothing to be seen', '\u200b\u200d\u2060 \u0301', null],
  ])('%s', (_name, name, shown) => {
    expect(visibleText(name)).toBe(shown);
  });

  test('is cut where a character ends', () => {
    expect(truncateToWidth('abc', 5)).toBe('\u2068abc\u2069');
    expect(truncateToWidth('W'.repeat(256), 5)).toBe('\u2068WWW…\u2069');
    expect(truncateToWidth('👩‍👩‍👧‍👦'.repeat(20), 5)).toBe(`\u2068${'👩‍👩‍👧‍👦'.repeat(3)}…\u2069`);
    expect(truncateToWidth(`Z${'\u0301'.repeat(255)}`, 5)).toBe('\u2068Z\u2069');
    expect(truncateToWidth('وكيل البرمجة', 4)).toBe('\u2068وكي…\u2069');
  });

  test('is called by what it is when there is none', () => {
    for (const name of [null, '', '\u200b']) expect(card(name).svg).toContain('Unnamed agent');
  });

  test('is escaped', () => {
    expect(escapeXml(`<a b="c" d='e'>&\u0000\ud800</a>`)).toBe(
      '&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;\ufffd\ufffd&lt;/a&gt;',
    );
  });
});
