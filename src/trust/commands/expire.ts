import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { checkedOutput } from '../../platform/control/action.ts';
import { type CallOperation, operationCommand } from '../../platform/control/operation-command.ts';
import { printJson } from '../../platform/control/run-action.ts';
import { confirmed } from '../../platform/terminal/confirm.ts';
import { printable } from '../../platform/terminal/printable.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

/** The operators that the command names before it asks. */
const NAMED = 20;

/** Returns the command that deletes what operators have that nobody uses. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const group = await operationGroup(new Command(), surroundings);
  const { command } = operationCommand(group, 'expire', 'expireOperators', {
    summary: 'delete what idle operators have stored',
    options: {
      plan: new Option('--plan <plan>', 'the plan of the operators').choices(['FREE']).makeOptionMandatory(),
      idle: new Option('--idle <days>', 'how long nobody used them, such as 90d')
        .argParser(days)
        .makeOptionMandatory(),
    },
    notes: `
Operators that agents made for themselves are idle if none of their keys was made
or used, and no receipt or evidence is theirs, for that time. Their keys, webhooks and
payloads of evidence are deleted; receipts, leaves, journals, digests, signatures and
assessments stay. An agent that comes back makes a new key with its own key
(POST /api/v1/passport/agents/{id}/keys). Operators of the administrator and of
subscriptions are never expired.
`,
    examples: [
      ['List what would be deleted, and ask', 'countersign operators expire --plan FREE --idle 90d'],
      ['The same in a script', 'countersign operators expire --plan FREE --idle 90d --yes'],
    ],
  });
  command.option('--yes', 'do not ask');
  command.action(async () => {
    const { idle, yes } = command.opts<{ idle: number; yes?: true }>();
    await group.operations(command, async (call, { label }) => {
      const found = await all(call, idle, true);
      if (found.length === 0) {
        process.stderr.write(`${printable(label)}: no operator is idle\n`);
        return printJson({ operators: 0, keys: 0, webhooks: 0, payloads: 0 });
      }
      for (const { operator_id, keys, webhooks, payloads } of found.slice(0, NAMED))
        process.stderr.write(`${operator_id}: ${keys} keys, ${webhooks} webhooks, ${payloads} payloads\n`);
      if (found.length > NAMED) process.stderr.write(`and ${found.length - NAMED} more operators\n`);
      if (yes === undefined) {
        const { keys, webhooks, payloads } = sumOf(found);
        await confirmed(
          `${printable(label)}: delete ${keys} keys, ${webhooks} webhooks and ${payloads} payloads of ${found.length} operators?`,
        );
      }
      printJson(sumOf(await all(call, idle, false)));
    });
  });
  return [{ command, under: 'operators' }];
}

/** Calls the operation for all operators, a part at a time, so that the server is never held up. */
async function all(call: CallOperation, idle_days: number, dry_run: boolean) {
  const { ExpiryResponse } = await import('../evidence/expiry/local-routes.ts');
  const found = new Map<string, Expired>();
  for (let after: number | null = 0; after !== null; ) {
    const response: { operators: Expired[]; next: number | null } = checkedOutput(
      ExpiryResponse,
      await call('expireOperators', { idle_days, after, dry_run }),
      'the operation expireOperators',
    );
    // A call can end in the middle of an operator.
    for (const operator of response.operators) {
      const known = found.get(operator.operator_id);
      found.set(
        operator.operator_id,
        known === undefined
          ? operator
          : {
              operator_id: operator.operator_id,
              keys: known.keys + operator.keys,
              webhooks: known.webhooks + operator.webhooks,
              payloads: known.payloads + operator.payloads,
            },
      );
    }
    after = response.next;
  }
  return [...found.values()];
}

interface Expired {
  operator_id: string;
  keys: number;
  webhooks: number;
  payloads: number;
}

function sumOf(all: readonly Expired[]) {
  const sum = { operators: all.length, keys: 0, webhooks: 0, payloads: 0 };
  for (const { keys, webhooks, payloads } of all) {
    sum.keys += keys;
    sum.webhooks += webhooks;
    sum.payloads += payloads;
  }
  return sum;
}

function days(text: string): number {
  const [, number] = /^([1-9]\d{0,4})d$/.exec(text) ?? [];
  if (number === undefined || Number(number) > 36_500)
    throw new InvalidArgumentError('The time must be a number of days such as 90d, at most 36500d.');
  return Number(number);
}
