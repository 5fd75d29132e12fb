import { ApiError } from '../../src/platform/http/errors/errors.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import type { Outcome, SkillCall, Work } from '../../src/trust/protocols/a2a/skill.ts';
import { skills } from '../../src/trust/protocols/a2a/skills/skills.ts';
import { escrowResult } from '../../src/trust/protocols/a2a/tasks/view.ts';
import type { TrustApp } from './trust-app.ts';

type Part = JsonObject | string;

/**
 * Returns functions that call skills with a key, as the protocol does, without storing a task. An error is
 * `<code>: <issues or message>`.
 */
export function skillCaller({ service: { trust } }: Pick<TrustApp, 'service'>, key: string) {
  const skillOf = (id: string) => {
    const skill = skills.find((one) => one.id === id);
    if (skill === undefined) throw new Error(`there is no skill ${id}`);
    return skill;
  };
  const callOf = async (part: Part, task: SkillCall['task']): Promise<SkillCall> => {
    const request = new Request('http://localhost/', { headers: { authorization: `Bearer ${key}` } });
    const principal = await trust.principals.authenticate(request, 'any');
    return { trust, principal, text: typeof part === 'string' ? part : '', task, mayPayIn: async () => true };
  };
  const done = async (work: Promise<Outcome | Work>, call: SkillCall): Promise<Outcome | string> => {
    try {
      const found = await work;
      return typeof found === 'function' ? await trust.store.write(call.principal.authority, found) : found;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return `${error.code}: ${JSON.stringify(error.details.issues ?? error.message)}`;
    }
  };
  return {
    /** Begins a task. */
    async run(id: string, input: JsonObject) {
      const task = { taskId: trust.ids.newId('a2a_'), escrowSeq: null, createdAt: trust.clock.now() };
      const call = await callOf(input, task);
      const outcome = await done(skillOf(id).run(call, input), call);
      const escrowSeq = typeof outcome === 'string' ? null : (outcome.escrowSeq ?? null);
      return { outcome, task: { ...task, escrowSeq } };
    },
    /** Continues a task with escrow. */
    async follow(id: string, task: SkillCall['task'], part: Part) {
      const call = await callOf(part, task);
      const { follow } = skillOf(id);
      if (follow === undefined) throw new Error(`${id} has no escrow`);
      return done(follow(call, typeof part === 'string' ? null : part), call);
    },
    /** Cancels a task with escrow, and returns what it shows then. */
    async cancel(id: string, task: SkillCall['task']) {
      const call = await callOf('', task);
      const { cancelIn } = skillOf(id);
      if (cancelIn === undefined) throw new Error('no escrow');
      const work: Work = async (tx) => {
        await cancelIn(tx, call);
        const shown = await escrowResult(tx, task);
        if (shown === null) throw new Error('no escrow');
        return { state: 'canceled', ...shown };
      };
      return done(Promise.resolve(work), call);
    },
  };
}
