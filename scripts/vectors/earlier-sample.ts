import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { signedPackage, unsignedPackage } from '../../test/support/compliance-package.ts';
import { type Operation, patchOf } from '../../test/support/json-patch.ts';
import { VECTORS } from '../../test/support/vectors.ts';

/**
 * A package that an earlier version signed: its sampled references have no `inclusion_path`. A running
 * service makes no more of them, so the file is kept as it is.
 */
export const EARLIER_SAMPLE_FILE = 'earlier-sample.json';

/** Returns the text of the package. */
export const earlierSampleText = (): string =>
  readFileSync(join(VECTORS, 'package', EARLIER_SAMPLE_FILE), 'utf8');

/** A row of cases.json. */
interface EarlierSampleCase {
  name: string;
  file: string;
  patch: Operation[];
  keys_patch: [];
  at: string;
  verdict: string;
  problem: string | null;
}

const SET = 'reference_sets[0].sample[0]';
const SAMPLED = ['reference_sets', 0, 'sample', 0] as const;

/** Returns the cases of the package: as it is, changed, and signed with something wrong in it. */
export function earlierSampleCases(at: string): EarlierSampleCase[] {
  const genuine: JsonObject = JSON.parse(earlierSampleText());
  const { signature: _signature, kid: _kid, ...unsigned } = genuine;
  const one = (name: string, document: JsonObject, verdict: string, problem: string | null) => ({
    ...{ name: `with samples of an earlier version: ${name}`, file: EARLIER_SAMPLE_FILE },
    ...{ patch: patchOf(genuine, document), keys_patch: [] as [], at, verdict, problem },
  });
  const signed = (
    name: string,
    [value, ...place]: readonly [JsonValue | undefined, ...(string | number)[]],
    verdict: string,
    problem: string | null,
  ) => one(name, signedPackage(replaced(unsigned, place, value)), verdict, problem);
  const [{ sample }] = Object(unsignedPackage('assessment')).reference_sets;
  const [, ...receiptsLess] = Object(genuine).checkpoints;
  return [
    one('genuine', genuine, 'valid', null),
    one('another leaf_index', replaced(genuine, [...SAMPLED, 'leaf_index'], 1), 'bad_signature', 'signature'),
    signed('one of them in the form of this version', [sample[0], ...SAMPLED], 'valid', null),
    signed(
      'an inclusion_path that is null',
      [null, ...SAMPLED, 'inclusion_path'],
      'malformed',
      `${SET}.inclusion_path is not`,
    ),
    signed(
      'a log without a checkpoint',
      [receiptsLess, 'checkpoints'],
      'bad_sample',
      `${SET}.inclusion_path.log`,
    ),
    signed(
      'an entry of another log',
      ['evidence', ...SAMPLED, 'log'],
      'bad_sample',
      `${SET}.inclusion_path.hashes`,
    ),
    signed('a log of no service', ['x', ...SAMPLED, 'log'], 'bad_sample', `${SET}.inclusion_path.log`),
    signed(
      'a log that is no text',
      [{ x: 1 }, ...SAMPLED, 'log'],
      'malformed',
      `${SET}.inclusion_path.log is not`,
    ),
    signed(
      'a log that is missing',
      [undefined, ...SAMPLED, 'log'],
      'malformed',
      `${SET}.inclusion_path.log is not`,
    ),
    signed('another leaf_index', [1, ...SAMPLED, 'leaf_index'], 'bad_sample', `${SET}.inclusion_path.hashes`),
    signed(
      'an entry that is no text',
      [7, ...SAMPLED, 'leaf_entry'],
      'malformed',
      `${SET}.inclusion_path.leaf_entry is not`,
    ),
    signed(
      'hashes that are missing',
      [undefined, ...SAMPLED, 'hashes'],
      'malformed',
      `${SET}.inclusion_path.hashes is not`,
    ),
    signed(
      'a path that leads elsewhere',
      [[], ...SAMPLED, 'hashes'],
      'bad_sample',
      `${SET}.inclusion_path.hashes`,
    ),
  ];
}
