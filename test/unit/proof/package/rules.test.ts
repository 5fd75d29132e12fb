import { expect, test } from 'bun:test';
import { FRAMEWORKS } from '../../../../src/proof/package/frameworks/catalogue.ts';
import { hasPython, pythonCommand } from '../../../support/python.ts';

/** The rules of one kind of package by framework and control, in the form that verify.py has them. */
function rulesOf(kind: 'assessment' | 'datacenter'): [string, unknown][] {
  return Object.values(FRAMEWORKS)
    .filter(({ kinds }) => kinds.includes(kind))
    .map(({ id, controls }) => {
      const rules = controls.flatMap((control): [string, unknown][] => {
        const mapping = kind === 'datacenter' ? control.cluster : control.agent;
        if (mapping === undefined) return [];
        if (mapping === null) return [[control.id, null]];
        const { requires, unless, best } = mapping.rule;
        const least = Object.fromEntries(requires.map(({ count, at_least }) => [count, at_least]));
        return [[control.id, [mapping.set, least, unless, mapping.counts.toSorted(), best]]];
      });
      return [`${kind} ${id}`, Object.fromEntries(rules)];
    });
}

const DUMP = `
import json, verify
rules = {" ".join(key): {name: rule and (*rule[:3], sorted(rule[3]), rule[4]) for name, rule in own.items()} for key, own in verify.RULES.items()}
print(json.dumps(rules))
`;

test.skipIf(!hasPython)('verify.py has the rules of all frameworks, and no others', () => {
  const { stdout, stderr } = Bun.spawnSync(pythonCommand(DUMP));
  expect(stderr.toString()).toBe('');
  const expected = Object.fromEntries([...rulesOf('assessment'), ...rulesOf('datacenter')]);
  expect(JSON.parse(stdout.toString())).toEqual(JSON.parse(JSON.stringify(expected)));
});
