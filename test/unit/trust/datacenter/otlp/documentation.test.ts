import { describe, expect, test } from 'bun:test';
import { converted, MAPPED_METRICS, mappingOf } from '../../../../../src/trust/datacenter/otlp/metrics.ts';
import { pageOf } from '../../../../support/story.ts';

const page = pageOf('opentelemetry.md');

describe('docs/opentelemetry.md', () => {
  test('names every metric that has a mapping, and no other one as mapped', () => {
    const rows = [...page.matchAll(/^\| (`(?:hw|countersign)\.[^|]*)\|/gm)].map(([, cell = '']) => cell);
    const named = rows.flatMap((cell) => [...cell.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => name));
    const attributes = ['countersign.cluster.id', 'countersign.origin'];
    const metrics = named.filter((name) => !attributes.includes(name));
    expect([...new Set(metrics)].sort()).toEqual([...MAPPED_METRICS].sort());
  });

  test('shows a configuration with the path of the endpoint, and leaves encoding and compression as they are', () => {
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const { exporters } = Object(Bun.YAML.parse(yaml));
    expect(exporters['otlphttp/countersign']).toEqual({
      metrics_endpoint: 'https://trust.example/api/v1/datacenter/otlp/v1/metrics',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the collector expands it
      headers: { authorization: 'Bearer ${env:TRUST_API_KEY}' },
    });
  });

  test('shows a filter that passes every metric with a mapping', () => {
    const [, pattern = ''] = /IsMatch\(name, "(.*)"\)/.exec(page) ?? [];
    expect(MAPPED_METRICS.filter((name) => !new RegExp(pattern).test(name))).toEqual([]);
    expect(new RegExp(pattern).test('system.cpu.time')).toBe(false);
  });

  test('lists units that the service converts', () => {
    for (const unit of ['J', 'kJ', 'MJ', 'GJ', 'W.h', 'kW.h', 'MW.h']) {
      const mapping = mappingOf('hw.host.energy');
      expect(mapping && converted(1, mapping, unit)).toBeGreaterThan(0);
    }
  });
});
