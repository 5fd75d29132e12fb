import { describe, expect, test } from 'bun:test';
import { scorecardPage } from '../../../../../src/trust/datacenter/page/scorecard-page.ts';
import { madeUpScorecard } from '../../../../support/made-up-scorecard.ts';
import { seenPage } from '../../../../support/page.ts';

type Changes = Parameters<typeof madeUpScorecard>[0];

const SITE = { notice: null, hasExplorer: true };

async function pageOf(changes: Changes = {}): Promise<{ json: string; html: string }> {
  const { text, scorecard } = madeUpScorecard(changes);
  const { text: page } = scorecardPage(text, scorecard, SITE);
  return { json: text, html: page };
}

const words = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the page of a scorecard', () => {
  test('contains the signed document as a download, byte by byte', async () => {
    const { json, html } = await pageOf();
    expect([...(await seenPage(html)).downloads]).toEqual([['scorecard-demo-hall-1.json', json]]);
  });

  test('shows the classes side by side: each metric with its unit, count, coverage and standard', async () => {
    const shown = words((await pageOf()).html);
    expect(shown).toContain('Metric Hardware-measured Declared Simulated');
    expect(shown).toContain(
      'PUE Facility energy ÷ IT energy ISO/IEC 30134-2:2026 1.21 31,967 complete slots, coverage 91.2% interim (332 of 365 days) category 2 PUE of the values first sent: 1.22 longest window 15 min',
    );
    expect(shown).toContain('0.3124 kg/kWh');
    expect(shown).toContain(
      '38.41 kW 12,345 items, coverage 91.2% highest 47\u00a0kW 81.2% of the nameplate'.replace(
        '\u00a0',
        ' ',
      ),
    );
    expect(shown).toContain('83.25 °C');
    expect(shown).toContain('inlet 18 to 27.5 °C, mean 23.12 °C 3 items with throttling');
    // A metric without values, and a class without telemetry.
    expect(shown).toContain('ERF Reused energy ÷ facility energy ISO/IEC 30134-6:2021 – – –');
  });

  test('shows sums in sensible digits, and since when instruments are enrolled and who attests them', async () => {
    const shown = words((await pageOf()).html);
    expect(shown).toContain('IT energy 2,412 MWh 2,412 MWh –');
    expect(shown).toContain(
      'Emissions CO₂e of the energy of the facility, by the carbon intensity as sent 753.6 t',
    );
    expect(shown).toContain(
      '41 meters in service 40 of IT equipment, 1 of the facility first items received from 2026-01-03 to 2026-02-01 1 attested by another account 1 more retired',
    );
    expect(shown).toContain(
      'rack-07 IT 2026-02-01 08:00:00 UTC retired 2026-10-01 00:00:00 UTC self-attested',
    );
    expect(shown).toContain('12 slots with less than IT, left out');
  });

  test('says what is impossible of a CUE of 0, and nothing of another', async () => {
    const { scorecard } = madeUpScorecard();
    const measured = scorecard.hardware_measured;
    if (measured === null) throw new Error('no metrics');
    const { html } = await pageOf({
      hardware_measured: { ...measured, cue: { ...measured.cue, value: 0 } },
      declared: null,
    });
    const said = 'a carbon intensity of 0 was sent, which no grid has';
    expect(words(html)).toContain(said);
    expect(words((await pageOf()).html)).not.toContain(said);
  });

  test('names the last day of its period, which is not the day after', async () => {
    const { html } = await pageOf();
    expect(words(html)).toContain('Period 2025-11-22 to 2026-11-21 (365 UTC days)');
    // What only a screen can follow is one sentence, so that none is cut on paper.
    expect(html).toMatch(/<span class="screen"><a href="\/verify">[^<]*<\/a>[^<]*you trust\.<\/span>/);
  });

  test('says what it cannot show', async () => {
    const { html } = await pageOf({ limits: ['No <b>grid</b>.'] });
    expect(words(html)).toContain('What this scorecard cannot show No &lt;b&gt;grid&lt;/b&gt;.');
  });

  test('draws one plot for each class, with the same axes', async () => {
    const { html } = await pageOf();
    const plots = html.match(/<svg class="plot"[\s\S]*?<\/svg>\s*<\/figure>/g) ?? [];
    expect(plots).toHaveLength(2);
    const axes = plots.map((plot) => [...plot.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label]) => label));
    expect(axes[0]).toEqual(axes[1] ?? []);
    expect(html).toContain('aria-label="Daily PUE, hardware-measured. Days with a value: 281.');
  });

  test('without any PUE says so instead of drawing', async () => {
    const { html } = await pageOf({ hardware_measured: null, declared: null });
    expect(html).not.toContain('class="plot"');
    expect(words(html)).toContain('No day has a PUE: it needs a slot that all meters cover');
  });

  test('contains hostile texts as texts', async () => {
    const hostile = '"><script>alert(1)</script>';
    const { html } = await pageOf({ cluster_id: hostile, id: hostile, issuer: hostile, kid: hostile });
    expect((await seenPage(html)).elements.get('script')).toBeUndefined();
  });

  test('of three classes with 366 days each has a line for each, and stays below 300 kB', async () => {
    const { text, scorecard } = madeUpScorecard();
    const { hardware_measured } = scorecard;
    if (hardware_measured === null) throw new Error('the scorecard has no class');
    const daily_pue = Array.from({ length: 366 }, (_, n) => ({
      day: new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10),
      pue: n % 2 === 0 ? 1.2 + n / 1000 : null,
    }));
    const metrics = { ...hardware_measured, daily_pue };
    const full = { ...scorecard, hardware_measured: metrics, declared: metrics, simulated: metrics };
    const { text: html } = scorecardPage(text, full, SITE);
    expect(html.match(/aria-label="Daily PUE, [^"]*Days with a value: 183\./g)).toHaveLength(3);
    expect(html.length).toBeLessThan(300_000);
  });
});
