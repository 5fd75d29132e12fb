import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings } from '../../../../src/platform/config/resolve.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import { operatorsSettings } from '../../../../src/trust/operators/settings.ts';
import { minimumStakes } from '../../../../src/trust/receipts/gate/settings.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { policyOf } from '../../../../src/trust/service/policy.ts';
import { trustSettings, trustSettingsOf } from '../../../../src/trust/service/settings.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const KEY = `pp_${'12'.repeat(32)}`;

function written(text: string, mode = 0o600): string {
  const file = join(directory, 'countersign.toml');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function settle(given: {
  flags?: Record<string, string>;
  env?: Record<string, string>;
  toml?: string;
  mode?: number;
}) {
  const { flags = {}, env = {}, toml, mode } = given;
  return resolveSettings(trustSettingsOf(trustModules), {
    flags,
    env,
    file: toml === undefined ? null : written(toml, mode),
  });
}

function failure(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('a setting:', () => {
  test('a flag overrides the environment, the environment the file, and the file the default', () => {
    const all = { flags: { port: '1' }, env: { COUNTERSIGN_PORT: '2' }, toml: 'port = 3' };
    const port = (given: Parameters<typeof settle>[0]): unknown =>
      trustSettings.port.in(settle(given).config);
    expect(port(all)).toBe(1);
    expect(port({ env: all.env, toml: all.toml })).toBe(2);
    expect(port({ toml: all.toml })).toBe(3);
    expect(port({})).toBe(3000);
    const shown = settle(all).effective.find(({ setting }) => setting.key === 'port');
    expect(shown?.sources.map(({ text }) => text)).toEqual(['1', '2', '3']);
    expect(shown?.sources.map(({ name }) => name).slice(0, 2)).toEqual(['--port', 'COUNTERSIGN_PORT']);
  });

  test('an empty value counts as absent', () => {
    const { config } = settle({
      flags: { host: '' },
      env: { COUNTERSIGN_PORT: '', COUNTERSIGN_SERVICE_TOKEN_FILE: '' },
    });
    expect(trustSettings.host.in(config)).toBe('127.0.0.1');
    expect(trustSettings.port.in(config)).toBe(3000);
    expect(operatorsSettings.serviceToken.in(config)).toBeNull();
  });

  test('a file with sections, numbers, texts, booleans and lists', () => {
    const toml = [
      'port = 8080',
      'host = "::1"',
      'trusted_proxies = ["10.0.0.0/8", "::1"]',
      '[limits]',
      'public_reads = 7',
      '[gate.minimum_stake]',
      'code_generation = 500',
    ].join('\n');
    const { config } = settle({ toml });
    expect(trustSettings.port.in(config)).toBe(8080);
    expect(trustSettings.host.in(config)).toBe('::1');
    expect(trustSettings.publicReads.in(config)).toBe(7);
    const trusted = trustSettings.trustedProxies.in(config);
    expect([trusted.check('10.9.9.9'), trusted.check('::1', 'ipv6'), trusted.check('11.0.0.1')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(minimumStakes.map(({ setting }) => setting.in(config))).toEqual([0, 0, 500, 0]);
  });

  test('a secret from its own file: its first line', () => {
    const file = join(directory, 'key');
    writeFileSync(file, `${KEY}\n`);
    const byEnv = settle({ env: { COUNTERSIGN_BOOTSTRAP_API_KEY_FILE: file } });
    expect(operatorsSettings.bootstrapApiKey.in(byEnv.config)).toBe(KEY);
    const byFile = settle({ toml: `bootstrap_api_key_file = "${file}"` });
    expect(operatorsSettings.bootstrapApiKey.in(byFile.config)).toBe(KEY);
  });

  test('a name that is no setting is pointed out', () => {
    const { warnings } = settle({ env: { COUNTERSIGN_PROT: '1', COUNTERSIGN_PORT: '1', HOME: '/' } });
    expect(warnings).toEqual(['COUNTERSIGN_PROT is not a setting; did you mean COUNTERSIGN_PORT?']);
  });
});

describe('an invalid setting is refused with its source:', () => {
  test.each([
    ['port', '70000'],
    ['port', '-1'],
    ['port', '1e3'],
    ['port', 'x'],
    ['base_url', 'ftp://example.org'],
    ['base_url', 'https://user@example.org'],
    ['base_url', 'https://example.org/?a'],
    ['base_url', 'example.org'],
    ['rate_limits', 'yes'],
    ['log_level', 'loud'],
    ['trusted_proxies', '10.0.0.0/33'],
    ['trusted_proxies', '10.0.0.0/8/8'],
    ['trusted_proxies', '::1/129'],
    ['trusted_proxies', 'proxy.example'],
    ['trusted_proxies', '10.0.0.1,'],
    ['limits.public_reads', '0'],
    ['tiers.full', '99999999999999999'],
  ])('%s = %s', (key, value) => {
    const env = `COUNTERSIGN_${key.replaceAll('.', '_').toUpperCase()}`;
    for (const [given, source] of [
      [{ flags: { [key]: value } }, `--${key.replace(/[._]/g, '-')}`],
      [{ env: { [env]: value } }, env],
      [{ toml: `${key} = "${value}"` }, 'countersign.toml'],
    ] as const) {
      const { message, exitCode } = failure(() => settle(given));
      expect(message).toStartWith(`${key} "${value}" `);
      expect(message).toContain(source);
      expect(exitCode).toBe(2);
    }
  });

  test('a secret of the wrong form is named, not shown', () => {
    const { message } = failure(() => settle({ env: { COUNTERSIGN_BOOTSTRAP_API_KEY: 'pp_secret' } }));
    expect(message).toContain('bootstrap_api_key is not pp_ and 64');
    expect(message).not.toContain('pp_secret');
  });

  test('a secret said twice, its file unreadable, its file open to others', () => {
    const file = join(directory, 'key');
    writeFileSync(file, KEY);
    const twice = { COUNTERSIGN_BOOTSTRAP_API_KEY: KEY, COUNTERSIGN_BOOTSTRAP_API_KEY_FILE: file };
    expect(failure(() => settle({ env: twice })).message).toContain('are both set');
    const gone = { COUNTERSIGN_BOOTSTRAP_API_KEY_FILE: join(directory, 'gone') };
    expect(failure(() => settle({ env: gone })).message).toContain('of bootstrap_api_key cannot be read');
    const toml = `bootstrap_api_key = "${KEY}"`;
    expect(operatorsSettings.bootstrapApiKey.in(settle({ toml }).config)).toBe(KEY);
    const open = failure(() => settle({ toml, mode: 0o644 }));
    expect([
      open.message.endsWith('is accessible to other users'),
      open.hint?.startsWith('chmod o-rwx '),
    ]).toEqual([true, true]);
    expect(() => settle({ toml: 'port = 1', mode: 0o644 })).not.toThrow();
    expect(() => settle({ toml, mode: 0o640 })).not.toThrow();
    writeFileSync(file, '\n');
    const empty = { COUNTERSIGN_BOOTSTRAP_API_KEY_FILE: file };
    expect(failure(() => settle({ env: empty })).message).toContain('of bootstrap_api_key is empty');
  });

  test.each([
    ['prot = 1', 'prot is not a setting', 'did you mean port?'],
    ['[limit]\npublic_reads = 1', 'limit.public_reads is not a setting', 'did you mean limits.public_reads?'],
    ['port = 1\nport = 2', 'line 2', null],
    ['port = ', 'line 1, column', null],
    ['[limits\n', 'line 1', null],
    ['port = 2026-01-01', 'port is neither text', null],
    ['trusted_proxies = [1]', 'trusted_proxies is neither', null],
  ])('the file %j', (toml, message, hint) => {
    const error = failure(() => settle({ toml }));
    expect(error.message).toContain(message);
    if (hint !== null) expect(error.hint).toBe(hint);
    expect([error.exitCode, error.hint === null]).toEqual([2, false]);
  });

  test('a file that is not there', () => {
    const given = { flags: {}, env: {}, file: join(directory, 'gone.toml') };
    const error = failure(() => resolveSettings(trustSettingsOf(trustModules), given));
    expect(error.message).toContain('gone.toml cannot be read');
  });
});

test.each([
  ['[::1]', '::1'],
  ['0.0.0.0', '0.0.0.0'],
  ['localhost', 'localhost'],
  ['trust.example.com', 'trust.example.com'],
])('the address %s is taken as %s', (given, host) => {
  expect(trustSettings.host.in(settle({ flags: { host: given } }).config)).toBe(host);
});

test.each(['*', '0', '[::1', 'a b', 'http://x', '-x', '300.1.1.1'])('the address %s is refused', (given) => {
  expect(failure(() => settle({ flags: { host: given } })).message).toContain('is not an IP address');
});

test('tiers that do not descend contradict each other', () => {
  const rules = (flags: Record<string, string>) => policyOf(settle({ flags }).config);
  expect(rules({ 'tiers.full': '100' }).tiers).toEqual({ full: 100, limited: 10, sandboxed: 1 });
  expect(failure(() => rules({ 'tiers.full': '10' })).message).toContain('must descend');
});
