import { Command, Option } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { RequestRefused } from '../platform/demo/api-client.ts';
import { Failure } from '../platform/failure.ts';
import { printable } from '../platform/terminal/printable.ts';
import { runningTestService } from '../platform/triggers/running-service.ts';
import type { TriggerKeys, Triggers } from '../platform/triggers/trigger.ts';
import type { Services } from './services.ts';

interface Options {
  readyFile?: string;
  list?: true;
}

export function triggerCommand(services: Services): Command {
  return new Command('trigger')
    .description('make an event of webhooks happen in a test service or a demonstration, by its API')
    .helpGroup(GROUPS.serve)
    .argument('[event]', 'the name of the event; --list shows all')
    .addOption(
      new Option(
        '--ready-file <path>',
        'the file that serve --test --ready-file or serve --demo --ready-file wrote',
      ).env('COUNTERSIGN_READY_FILE'),
    )
    .option('--list', 'list the events of each service, and what makes them happen')
    .addHelpText(
      'after',
      examples(
        ['Send evidence of a new agent', 'countersign trigger evidence.anchored --ready-file ready.json'],
        ['List all events', 'countersign trigger --list'],
      ),
    )
    .action(async (event: string | undefined, { readyFile, list }: Options) => {
      if (list === true) await listEvents(services);
      else if (event === undefined) throw new Failure('no event is named', 'name one of trigger --list', 2);
      else await trigger(services, event, readyFile);
    });
}

async function listEvents(services: Services): Promise<void> {
  for (const { name, triggers } of services.all) {
    process.stdout.write(`${name}\n`);
    for (const [event, { summary }] of Object.entries((await triggers()).events))
      process.stdout.write(`  ${event.padEnd(28)}${summary}\n`);
  }
}

/**
 * Makes an event happen, and prints what it made as JSON.
 * @throws Failure (exit code 2) for an unknown event, and for a service with other people's data
 */
async function trigger(services: Services, event: string, readyFile: string | undefined): Promise<void> {
  if (readyFile === undefined) {
    const hint = 'start the service with --ready-file ready.json, and pass the same --ready-file';
    throw new Failure('the service is not named', hint, 2);
  }
  const { service, ask, secret } = await runningTestService(readyFile);
  const triggers = await services.named(service).triggers();
  const apiKey = secret('api_key');
  if (apiKey === null) throw new Failure(`${readyFile} has no api_key`, 'start the service again', 2);
  const keys = { ask, apiKey, serviceToken: secret('service_token') };
  const made = await run(triggers, event, keys, service);
  process.stdout.write(`${JSON.stringify({ event, ...made }, null, 2)}\n`);
}

async function run(
  { events, isSubscribed }: Triggers,
  event: string,
  keys: TriggerKeys,
  service: string,
): Promise<Readonly<Record<string, string>>> {
  const known = Object.hasOwn(events, event) ? events[event] : undefined;
  if (known === undefined) {
    const names = Object.keys(events).join(', ');
    throw new Failure(`${event} cannot be triggered in the ${service} service`, `use one of ${names}`, 2);
  }
  try {
    if (!(await isSubscribed(keys, event)))
      process.stderr.write(`countersign: note: no webhook of the API key's owner gets ${event}\n`);
    return await known.run(keys);
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    const { line, status, body } = error;
    const message = `the service refused ${line}: ${status} ${printable(body)}`;
    throw new Failure(message, 'the response says what is missing: correct it, and trigger again');
  }
}
