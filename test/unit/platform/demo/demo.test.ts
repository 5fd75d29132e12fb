import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  clearForDemonstration,
  refuseDemonstration,
  refuseOtherData,
} from '../../../../src/platform/demo/directory.ts';
import { KnownIds } from '../../../../src/platform/demo/known-ids.ts';
import { ScenarioClock } from '../../../../src/platform/demo/scenario-clock.ts';
import { demonstrationConfig } from '../../../../src/platform/demo/settings.ts';
import { staffingServiceDefinition } from '../../../../src/staffing/definition.ts';
import { staffingModules } from '../../../../src/staffing/service/modules.ts';
import { trustServiceDefinition } from '../../../../src/trust/definition.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';

const trust = trustServiceDefinition(trustModules);
const staffing = staffingServiceDefinition(staffingModules);

describe('the settings of a demonstration', () => {
  const REFUSED: [string, string, typeof trust][] = [
    ['host', '0.0.0.0', trust],
    ['host', '::', trust],
    ['host', '192.168.1.7', trust],
    ['host', 'server.example', trust],
    ['base_url', 'https://trust.example', trust],
    ['metrics_host', '0.0.0.0', trust],
    ['trusted_proxies', '10.0.0.0/8', trust],
    ['read_only', 'on', trust],
    ['bootstrap_api_key', `pp_${'a'.repeat(64)}`, trust],
    ['service_token', `svc_${'a'.repeat(64)}`, trust],
    ['webhooks.allow_private', 'on', trust],
    ['log.witness_policy', 'policy.txt', trust],
    ['host', '0.0.0.0', staffing],
    ['admin_token', `adm_${'a'.repeat(64)}`, staffing],
    ['bootstrap_email', 'ada@firm.example', staffing],
    ['smtp.url', 'smtps://mail.example', staffing],
    ['webhooks.allow_private', 'on', staffing],
  ];
  for (const [key, value, kind] of REFUSED) {
    test(`${key} ${value} is refused for the ${kind.name} service, by its name and without secrets`, () => {
      const settle = () => demonstrationConfig(new Map([[key, value]]), kind);
      expect(settle).toThrow(key);
      expect(settle).toThrow('contradicts --demo');
      if (/^(?:pp|svc|adm)_/.test(value)) expect(settle).not.toThrow(value);
    });
  }

  const TAKEN: [string, string][] = [
    ['host', '127.0.0.1'],
    ['host', '127.8.8.8'],
    ['host', '::1'],
    ['host', 'localhost'],
    ['base_url', 'http://localhost:3000'],
    ['base_url', 'http://[::1]:3000'],
    ['read_only', 'off'],
  ];
  for (const [key, value] of TAKEN) {
    test(`${key} ${value} is taken`, () => {
      expect(demonstrationConfig(new Map([[key, value]]), trust).get(key)).toBe(value);
    });
  }

  test('without a data directory it is a temporary one, else the one that was named', () => {
    expect(demonstrationConfig(new Map(), trust).get('data')).toBe(':memory:');
    expect(demonstrationConfig(new Map([['data', 'mine']]), trust).get('data')).toBe('mine');
  });
});

describe('the directory of a demonstration', () => {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  test('is one that is new, or empty, or has a lock only', () => {
    refuseOtherData(join(path, 'new'), 'trust');
    refuseOtherData(path, 'trust');
    writeFileSync(join(path, 'lock'), '');
    writeFileSync(join(path, 'lock-journal'), '');
    refuseOtherData(path, 'trust');
  });

  for (const name of ['trust.db', 'staffing.db', 'keys', 'letter.txt', 'lockbox']) {
    test(`is never one that has ${name}, and nothing in it is touched`, () => {
      writeFileSync(join(path, name), 'mine');
      expect(() => clearForDemonstration(path, trust)).toThrow('is not empty and contains no demonstration');
      expect(readdirSync(path)).toEqual([name]);
    });
  }

  test('is cleared but for its lock at the next start', () => {
    clearForDemonstration(path, trust);
    writeFileSync(join(path, 'lock'), '');
    mkdirSync(join(path, 'keys'));
    writeFileSync(join(path, 'trust.db'), '');
    clearForDemonstration(path, trust);
    expect(readdirSync(path).sort()).toEqual(['demonstration', 'lock']);
  });

  test('keeps at the next start what no service makes', () => {
    clearForDemonstration(path, trust);
    const others = ['notes.txt', 'log.jsonl', 'trust.db.copy', 'backups', 'staffing.db'];
    for (const name of others) writeFileSync(join(path, name), 'mine');
    for (const name of ['trust.db', 'trust.db-wal', 'trust.db-shm', 'log.high-water', 'control.sock']) {
      writeFileSync(join(path, name), '');
    }
    writeFileSync(join(path, 'log.high-water.0123456789ab.new'), '');
    clearForDemonstration(path, trust);
    expect(readdirSync(path).sort()).toEqual(['demonstration', ...others].sort());
  });

  test('may have a mark that a killed start did not finish', () => {
    writeFileSync(join(path, 'demonstration.0123456789ab.new'), 'tru');
    clearForDemonstration(path, trust);
    expect(() => refuseDemonstration(path, 'serve')).toThrow('whose API keys are public');
  });

  test('is no file, and none whose mark is a directory: the message names it', () => {
    writeFileSync(join(path, 'file'), '');
    expect(() => refuseOtherData(join(path, 'file'), 'trust')).toThrow(
      `${join(path, 'file')} cannot be read`,
    );
    mkdirSync(join(path, 'demonstration'));
    expect(() => refuseOtherData(path, 'trust')).toThrow('is not empty and contains no demonstration');
    refuseDemonstration(path, 'serve');
  });

  test('is of one service, and of no service that is none', () => {
    clearForDemonstration(path, trust);
    expect(() => refuseOtherData(path, 'staffing')).toThrow('contains a demonstration of the trust service');
    for (const act of ['serve', 'backup', 'restore'] as const) {
      expect(() => refuseDemonstration(path, act)).toThrow('whose API keys are public');
      refuseDemonstration(join(path, 'new'), act);
    }
    expect(existsSync(join(path, 'new'))).toBe(false);
  });
});

test('known ids are returned once each, in order and by prefix; others are new', () => {
  const ids = new KnownIds();
  ids.reserve('rcpt_1', 'wh_1', 'rcpt_2', 'op_cus_1');
  expect([ids.newId('rcpt_'), ids.newId('rcpt_'), ids.newId('wh_'), ids.newText('op_cus_', 24)]).toEqual([
    'rcpt_1',
    'rcpt_2',
    'wh_1',
    'op_cus_1',
  ]);
  expect(ids.newId('rcpt_')).toMatch(/^rcpt_[0-9a-f]{32}$/);
  expect(ids.newSecret('pp_')).toMatch(/^pp_[0-9a-f]{64}$/);
  expect(ids.newText('op_cus_', 24)).toMatch(/^op_cus_[0-9A-Za-z]{24}$/);
});

test('the clock of the scenario only advances, and its monotonic time with it', () => {
  const clock = new ScenarioClock(1000);
  clock.advanceTo(1500);
  clock.advanceTo(1200);
  expect([clock.now(), clock.monotonic()]).toEqual([1500, 500]);
});
