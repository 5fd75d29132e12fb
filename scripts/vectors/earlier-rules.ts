import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { signedPackage } from '../../test/support/compliance-package.ts';
import { type Operation, patchOf } from '../../test/support/json-patch.ts';
import { VECTORS } from '../../test/support/vectors.ts';

/**
 * Packages of version 1, an assessment and an audit: without coverage, and by the rules of then. A running
 * service makes no more of them, so the files are kept as they are.
 */
const FILES = { assessment: 'earlier-rules.json', audit: 'earlier-audit.json' } as const;

const textOf = (file: string): string => readFileSync(join(VECTORS, 'package', file), 'utf8');

/** Returns the text of each of the files, by its name. */
export const earlierRulesTexts = (): (readonly [string, string])[] =>
  Object.values(FILES).map((file) => [file, textOf(file)]);

/** A row of cases.json. */
interface EarlierRulesCase {
  name: string;
  file: string;
  patch: Operation[];
  keys_patch: [];
  at: string;
  verdict: string;
  problem: string | null;
  checks: { rules: string };
}

/** Returns the cases of these packages: as they are, and signed with something wrong in them. */
export function earlierRulesCases(at: string): EarlierRulesCase[] {
  const one = (
    name: string,
    kind: keyof typeof FILES,
    changes: readonly (readonly [JsonValue, ...(string | number)[]])[],
    rules: 'ok' | 'bad' | 'unchecked',
    problem: string | null = null,
  ): EarlierRulesCase => {
    const genuine: JsonObject = JSON.parse(textOf(FILES[kind]));
    const { signature: _signature, kid: _kid, ...unsigned } = genuine;
    const changed = changes.reduce(
      (document: JsonObject, [value, ...place]) => replaced(document, place, value),
      unsigned,
    );
    const verdict = { ok: 'valid', bad: 'inconsistent', unchecked: 'malformed' }[rules];
    const document = changes.length === 0 ? genuine : signedPackage(changed);
    return {
      ...{ name: `of version 1, ${kind}: ${name}`, file: FILES[kind], patch: patchOf(genuine, document) },
      ...{ keys_patch: [], at, verdict, problem, checks: { rules } },
    };
  };
  const { controls, summary }: { controls: { id: string }[]; summary: JsonObject } = JSON.parse(
    textOf(FILES.assessment),
  );
  const index = controls.findIndex(({ id }) => id === 'PI1.3');
  const failed = ['CC7.2', 'CC7.3', 'PI1.3'].map(
    (id) =>
      [
        1,
        'controls',
        controls.findIndex((control) => control.id === id),
        'counts',
        'receipts_failed',
      ] as const,
  );
  return [
    one('genuine', 'assessment', [], 'ok'),
    one('satisfied although receipts failed', 'assessment', failed, 'bad', `controls[${index}].status`),
    one(
      'a count that its rule does not know',
      'assessment',
      [[7, 'controls', index, 'counts', 'hours']],
      'ok',
    ),
    one(
      'a status of version 2',
      'assessment',
      [['reported', 'controls', index, 'status']],
      'unchecked',
      `controls[${index}].status`,
    ),
    one('a summary of version 2', 'assessment', [[{ ...summary, reported: 3 }, 'summary']], 'ok'),
    one('genuine', 'audit', [], 'ok'),
    one(
      'a satisfied control that a report fails',
      'audit',
      [
        [4, 'controls', 0, 'counts', 'pass'],
        [1, 'controls', 0, 'counts', 'fail'],
      ],
      'bad',
      'controls[0].status',
    ),
  ];
}
