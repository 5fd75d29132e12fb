import { expect, test } from 'bun:test';
import { FRAMEWORKS } from '../../../../src/proof/package/frameworks/catalogue.ts';
import type { Share } from '../../../../src/proof/package/frameworks/mapping.ts';
import { OWN_COUNTS } from '../../../../src/proof/package/frameworks/vocabulary.ts';
import { hasPython, pythonCommand } from '../../../support/python.ts';

const sharesOf = (shares: readonly Share<string>[]): Record<string, unknown> =>
  Object.fromEntries(shares.map(({ count, of, at_most_percent }) => [count, [at_most_percent, of]]));

/** The rules of one kind of package by framework and control, in the form that verify.py has them. */
function rulesOf(kind: 'assessment' | 'datacenter'): [string, unknown][] {
  return Object.values(FRAMEWORKS)
    .filter(({ kinds }) => kinds.includes(kind))
    .map(({ id, controls }) => {
      const rules = controls.flatMap((control): [string, unknown][] => {
        const mapping = kind === 'datacenter' ? control.cluster : control.agent;
        if (mapping === undefined) return [];
        if (mapping === null) return [[control.id, null]];
        const { requires, statements, unless, shares, coverage, best } = mapping.rule;
        const [least, signed] = [requires, statements].map((needed) =>
          Object.fromEntries(needed.map(({ count, at_least }) => [count, at_least])),
        );
        const counts = mapping.counts.filter((name) => !OWN_COUNTS.some((own) => own === name));
        return [
          [
            control.id,
            [
              mapping.set,
              least,
              signed,
              unless,
              counts.toSorted(),
              coverage?.records ?? '',
              best,
              sharesOf(shares),
            ],
          ],
        ];
      });
      return [`${kind} ${id}`, Object.fromEntries(rules)];
    });
}

const DUMP = `
import json, verify
rules = {" ".join(key): {name: rule and (*rule[:4], sorted(rule[4]), *rule[5:]) for name, rule in own.items()} for key, own in verify.RULES.items()}
print(json.dumps(rules))
`;

test.skipIf(!hasPython)('verify.py has the rules of all frameworks, and no others', () => {
  const { stdout, stderr } = Bun.spawnSync(pythonCommand(DUMP));
  expect(stderr.toString()).toBe('');
  const expected = Object.fromEntries([...rulesOf('assessment'), ...rulesOf('datacenter')]);
  expect(JSON.parse(stdout.toString())).toEqual(JSON.parse(JSON.stringify(expected)));
});
