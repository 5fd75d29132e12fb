import { Command, Option } from 'commander';
import { Contexts } from '../platform/client/contexts.ts';
import { examples, GROUPS } from '../platform/command-help.ts';
import { writeRows } from '../platform/control/list-command.ts';
import { type Output, outputOption } from '../platform/control/operation-command.ts';
import { asFailure } from '../platform/failure.ts';
import type { Column } from '../platform/terminal/table.ts';

/** A context as the list shows it. */
interface Row {
  name: string;
  current: boolean;
  service: string | null;
  url: string | null;
  /** Why it cannot be used; null if it can. */
  problem: string | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'CURRENT', cellOf: ({ current }) => (current ? '*' : ' ') },
  { title: 'NAME', cellOf: ({ name }) => name },
  { title: 'SERVICE', cellOf: ({ service }) => service },
  { title: 'URL', cellOf: ({ url, problem }) => url ?? problem },
];

/** Returns the command `contexts`, which manages the services at which the user is logged in. */
export function contextsCommand(): Command {
  const command = new Command('contexts')
    .description('list the services at which you are logged in, and choose the current one')
    .helpGroup(GROUPS.api)
    .helpCommand(false)
    .addHelpText(
      'after',
      `
A command uses the current context unless --context, --url, --data or COUNTERSIGN_CONTEXT
names something else.
${examples(['List the contexts', 'countersign contexts list'], ['Use another one', 'countersign contexts use prod'])}`,
    );
  command
    .command('list')
    .description('list the contexts')
    .addOption(outputOption('table'))
    .addOption(new Option('--json', 'as --output ndjson').hideHelp())
    .addHelpText('after', examples(['List the contexts', 'countersign contexts list']))
    .action(async ({ json, output }: { json?: true; output: Output }) => {
      const contexts = new Contexts();
      const current = contexts.current();
      const rows = contexts.names().map((name) => rowOf(contexts, name, current));
      const form = json === true ? 'ndjson' : output;
      await writeRows(form === 'ndjson' ? null : COLUMNS, rows, form);
    });
  command
    .command('use')
    .description('make a context the current one')
    .argument('<name>', 'the name of the context')
    .addHelpText('after', examples(['Use another context', 'countersign contexts use prod']))
    .action((name: string) => new Contexts().use(name));
  command
    .command('remove')
    .description('remove a context, and the key that a login stored')
    .argument('<name>', 'the name of the context')
    .addHelpText('after', examples(['Remove a context', 'countersign contexts remove prod']))
    .action((name: string) => new Contexts().remove(name));
  return command;
}

/** Returns a context for the list, even one that cannot be used. */
function rowOf(contexts: Contexts, name: string, currentName: string | null): Row {
  const current = name === currentName;
  try {
    const { service, url } = contexts.read(name);
    return { name, current, service, url, problem: null };
  } catch (error) {
    return { name, current, service: null, url: null, problem: asFailure(error).message };
  }
}
