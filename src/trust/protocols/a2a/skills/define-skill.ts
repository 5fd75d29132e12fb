import type { Static, TObject } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Outcome, Skill, SkillCall, Work } from '../skill.ts';

/** A skill whose work gets its input as the type of its schema. */
export type SkillDefinition<Input extends TObject> = Omit<Skill, 'input' | 'run'> & {
  readonly input: Input;
  run(call: SkillCall, input: Static<Input>): Promise<Outcome | Work>;
};

/**
 * Returns a skill. Its callers check the input first, so an invalid input here is an error of the program.
 */
export function defineSkill<Input extends TObject>(definition: SkillDefinition<Input>): Skill {
  const { input: schema, run } = definition;
  return {
    ...definition,
    run: (call, input) => {
      if (!Value.Check(schema, input)) throw new Error(`the input of ${definition.id} was not checked`);
      return run(call, input);
    },
  };
}
