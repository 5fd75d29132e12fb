import { describe, expect, test } from 'bun:test';
import type { CompliancePackage } from '../../../../../../src/proof/package/format.ts';
import { packagePage } from '../../../../../../src/trust/compliance/packages/page/page.ts';
import { madeUpPackage } from '../../../../../support/made-up-package.ts';
import { seenPage } from '../../../../../support/page.ts';

const CONTEXT = { notice: null, hasExplorer: true, frameworkNames: { NIST_AI_RMF: 'NIST AI RMF' } };

function pageOf(changes: Partial<CompliancePackage> = {}, context = CONTEXT): { json: string; html: string } {
  const { text, document } = madeUpPackage(changes);
  return { json: text, html: packagePage(text, document, context).text };
}

/** Returns the texts of a page without markup. */
const words = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the page of a package', () => {
  test('contains the signed document as a download, byte by byte', async () => {
    const { json, html } = pageOf();
    const { downloads } = await seenPage(html);
    expect([...downloads]).toEqual([['pkg_019de3962e0070008f3a5b0c7d1e9a42.json', json]]);
  });

  test('shows each control with its status, its counts and a link to its references', async () => {
    const { html } = pageOf();
    const { links, ids, elements } = await seenPage(html);
    const { controls, reference_sets } = madeUpPackage().document;
    const shown = words(html);
    for (const { id, title } of controls) expect(shown).toContain(`${id} ${title}`);
    expect(shown).toContain('receipts 61,208 · receipts refused 12 · evidence 38,792');
    expect(links.filter((link) => link.startsWith('#'))).toHaveLength(10);
    for (const link of links.filter((one) => one.startsWith('#'))) expect(ids).toContain(link.slice(1));
    // Head and row of each control, of each sample and of each checkpoint.
    const samples = reference_sets.reduce((sum, { sample }) => sum + 1 + sample.length, 0);
    expect(elements.get('tr')).toBe(1 + controls.length + samples + 3);
  });

  test('has a bar whose parts have the shares of the statuses, and of who says so', () => {
    const { html } = pageOf();
    const [bar = ''] = /<svg class="bar"[\s\S]*?<\/svg>/.exec(html) ?? [];
    expect(bar).toContain(
      'aria-label="Satisfied: 5 of 12, Partial: 3 of 12, Reported: 2 of 12, Not assessed: 2 of 12"',
    );
    const parts = [...bar.matchAll(/<rect class="([\w-]+)" x="([\d.]+)%" y="0.5" width="([\d.]+)%"/g)];
    expect(parts.map(([, ...values]) => values)).toEqual([
      ['satisfied', '0', '8.33'],
      ['satisfied', '8.33', '33.33'],
      ['partial-back', '41.67', '25'],
      ['partial-back', '66.67', '16.67'],
      ['absent', '83.33', '16.67'],
    ]);
    expect(bar).toContain('url(#hatched)');
    expect(bar).toContain('url(#lined)');
    expect(bar).toContain('url(#dotted)');
    const shown = words(html);
    expect(shown).toContain('Satisfied 5 1 by a listed assessor 4 by records of the service');
    expect(shown).toContain('Reported 2 2 by the subject itself');
  });

  test('says of how many reported controls a report says fail', () => {
    const { controls } = madeUpPackage().document;
    const reported = controls.filter(({ status }) => status === 'reported');
    const [failed, ...others] = reported.map((one) => ({ ...one, counts: { ...one.counts, fail: 0 } }));
    if (failed === undefined) throw new Error('the package has no reported control');
    const shownOf = (fail: number): string =>
      words(pageOf({ controls: [{ ...failed, counts: { fail } }, ...others] }).html);
    expect(shownOf(1)).toContain('Reported 2 , of which 1 says fail');
    expect(shownOf(0)).not.toContain('of which');
    const { html } = pageOf({ controls: reported.map((one) => ({ ...one, counts: { fail: 3 } })) });
    expect(html).toContain('Reported: 2 of 2, of which 2 say fail');
  });

  test('is titled as records for criteria, and no report', () => {
    const { html } = pageOf();
    expect(html).toContain('<h1>Records mapped to NIST AI RMF</h1>');
    expect(html).toContain('<title>Records mapped to NIST AI RMF: agent');
  });

  test('has the days with records before those that are covered, and the longest gap', () => {
    expect(words(pageOf().html)).toMatch(
      /receipts: 71 of 90 days have a record; 79 are in no gap; longest gap 8 days; no records 2026-08-24 to/,
    );
  });

  test('does not say that nobody can choose the sample', () => {
    expect(words(pageOf().html)).toContain('it could build many sets and search for one with a good sample');
  });

  test('links entries of a sample to what anybody can read about them', async () => {
    const [receipts] = madeUpPackage().document.reference_sets;
    const [first] = receipts?.sample ?? [];
    if (receipts === undefined || first === undefined) throw new Error('the package has no sample');
    const entries = [
      { receipt_id: 'rcpt_1', revoked_at: '2026-01-31T12:00:00.000Z' },
      { subject_commitment: 'ab', event: 'agent_revoked', at: '2026-01-31T12:00:00.000Z' },
      { kid: 'receipts-2', event: 'added', at: '2026-01-31T12:00:00.000Z' },
      {
        event_commitment_hash: 'cd',
        subject_commitment: 'ab',
        source_type: 'git_push',
        anchored_at: '2026-01-31T12:00:00.000Z',
      },
      { something: 'else' },
    ];
    const sample = entries.map((entry) => ({
      ...first,
      inclusion_path: { ...first.inclusion_path, leaf_entry: JSON.stringify(entry) },
    }));
    const changes = { reference_sets: [{ ...receipts, sample }], controls: [] };
    const { html } = pageOf(changes);
    const { links } = await seenPage(html);
    const { subject } = madeUpPackage().document;
    const agent = subject.type === 'agent' ? subject.subject_commitment : '';
    const evidence = '/verify?document=/api/v1/passport/agents/ab/evidence/cd/bundle';
    expect(links).toEqual([
      '/',
      `/agents/${agent}`,
      '/receipts/rcpt_1',
      '/agents/ab',
      '/api/v1/public-key',
      evidence,
      '/api/v1/transparency/keys',
      '/verify',
    ]);
    const without = pageOf(changes, { ...CONTEXT, hasExplorer: false });
    expect((await seenPage(without.html)).links).toEqual([
      '/',
      '/api/v1/receipts/rcpt_1/public-manifest',
      '/api/v1/profiles/ab',
      '/api/v1/public-key',
      evidence,
      '/api/v1/transparency/keys',
      '/verify',
    ]);
    const shown = words(html);
    for (const label of ['Revoked receipt', 'Revoked agent', 'Key added', 'git push'])
      expect(shown).toContain(label);
    expect(shown).toContain('{&quot;something&quot;:&quot;else&quot;}');
  });

  test('links payloads only where the document has their addresses', async () => {
    const [receipts] = madeUpPackage().document.reference_sets;
    if (receipts === undefined) throw new Error('the package has no set');
    const sample = receipts.sample.slice(0, 1).map((one) => ({ ...one, payload_url: '/api/v1/payloads/1' }));
    const sponsored = await seenPage(
      pageOf({ view: 'sponsor', reference_sets: [{ ...receipts, sample }] }).html,
    );
    expect(sponsored.links).toContain('/api/v1/payloads/1');
  });

  test('of a cluster shows its sections, and of one without references says so', async () => {
    const { html } = pageOf({
      kind: 'datacenter',
      framework: 'ISO_14064',
      subject: {
        type: 'cluster',
        id: 'urn:countersign:cluster:hall',
        cluster_id: 'hall',
        operator: 'op_cus_01…89',
      },
      sections: {
        energy: {
          about: 'Energy of the cluster.',
          standard: 'ISO 14064-1:2018',
          declared: { it_kwh: 1234567.5, pue: null, notes: ['one', { of: 'two' }] },
          hardware_measured: {
            it_kwh: 5,
            pue: { coverage: 0.25, interim: true, value: 1.25 },
            since: '2026-05-01T00:00:00.000Z',
          },
          simulated: null,
        },
        remark: 'Only this.',
      },
      controls: [],
      reference_sets: [],
      checkpoints: [],
    });
    await seenPage(html);
    const shown = words(html);
    for (const part of [
      'Energy Energy of the cluster. Standard: ISO 14064-1:2018',
      'Value Hardware measured Declared Simulated',
      'IT (kWh) 5 1,235,000 –',
      'PUE 1.25 – – PUE, coverage 0.25 – – PUE, interim yes – –',
      'Since 2026-05-01 00:00:00 UTC – –',
      'Notes – one of two –',
      'Remark Only this.',
      'urn:countersign:cluster:hall',
      'ISO 14064',
    ])
      expect(shown).toContain(part);
    expect(shown).toContain('The package has no references in this period.');
    expect(shown).toContain('The package cites no checkpoint.');
  });

  test('contains hostile texts as texts', async () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0000`;
    const { document } = madeUpPackage();
    const [control] = document.controls;
    if (control === undefined) throw new Error('the package has no control');
    const { html } = pageOf({
      framework: hostile,
      framework_edition: hostile,
      issuer: hostile,
      limits: [hostile],
      kid: hostile,
      sections: { [hostile]: { [hostile]: hostile } },
      controls: [
        {
          ...control,
          id: hostile,
          title: hostile,
          statement: hostile,
          counts: { [hostile]: 1 },
          references: { set: hostile, count: 1, merkle_root: hostile },
        },
      ],
    });
    const { elements } = await seenPage(html);
    expect([elements.get('script'), elements.get('img')]).toEqual([undefined, undefined]);
  });
});
