import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand } from '../../platform/control/list-command.ts';
import { eventsOf } from '../../platform/module.ts';
import type { TrustModule } from '../service/module.ts';
import { apiGroup, OPERATOR } from './operations.ts';

const WEBHOOK = ['<webhook>', 'the id of the webhook'] as const;

/** Returns the commands of webhooks. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('webhooks')
    .description('create, list and delete webhooks, and see what was delivered')
    .addHelpText(
      'after',
      examples([
        'Send two events to a URL',
        'countersign webhooks create https://example.com/hook evidence.anchored reputation.degraded',
      ]),
    );
  const group = await apiGroup(command, surroundings);
  const { forHelp, modules } = surroundings;
  const names = forHelp ? Object.keys(eventsOf(await modules())) : [];
  listCommand(group, 'list', 'listWebhooks', {
    summary: 'list webhooks',
    options: { operator: OPERATOR },
    rows: 'webhooks',
    columns: [
      column('WEBHOOK', 'id'),
      column('URL', 'url'),
      column('EVENTS', 'events'),
      column('CREATED', 'created_at'),
    ],
    examples: [['List webhooks', 'countersign webhooks list']],
  });
  callCommand(group, 'create', 'createWebhook', {
    summary: 'send events to a URL; the secret is printed only once',
    secret: 'signing_secret',
    arguments: {
      url: ['<url>', 'where the events are sent'],
      events: ['<events...>', names.join(', ')],
    },
    options: {
      operator: OPERATOR,
      all: new Option('--all', 'also the public events of other operators; for admin keys'),
    },
    examples: [
      [
        'Send two events',
        'countersign webhooks create https://example.com/hook evidence.anchored reputation.degraded',
      ],
    ],
  });
  callCommand(group, 'delete', 'deleteWebhook', {
    summary: 'delete a webhook',
    arguments: { id: WEBHOOK },
    options: { operator: OPERATOR },
    examples: [['Delete a webhook', 'countersign webhooks delete WEBHOOK']],
  });
  listCommand(group, 'deliveries', 'listWebhookDeliveries', {
    summary: 'list deliveries of a webhook, the newest first',
    arguments: { id: WEBHOOK },
    options: { operator: OPERATOR },
    rows: 'deliveries',
    columns: [
      column('DELIVERY', 'id'),
      column('EVENT', 'event'),
      column('STATUS', 'status'),
      column('CREATED', 'created_at'),
    ],
    examples: [['List deliveries', 'countersign webhooks deliveries WEBHOOK']],
  });
  return [{ command }];
}
