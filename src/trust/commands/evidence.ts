import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import { SOURCE_TYPES } from '../../proof/evidence/source-types.ts';
import type { TrustModule } from '../service/module.ts';
import { apiGroup, OPERATOR } from './operations.ts';

const AGENT = ['<commitment>', "the agent's subject commitment, 64 hexadecimal characters"] as const;
const EVENT = ['<event>', 'the event_commitment_hash of the evidence'] as const;

/** Returns the commands of evidence. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('evidence')
    .description('send and list evidence of what agents did')
    .addHelpText(
      'after',
      examples(
        [
          'Send what countersign sign --evidence printed',
          'countersign evidence send COMMITMENT --data-file evidence.json',
        ],
        ['List the evidence of an agent', 'countersign evidence list COMMITMENT'],
      ),
    );
  const group = await apiGroup(command, surroundings);
  callCommand(group, 'send', 'anchorEvidence', {
    summary: 'send evidence that the agent has signed',
    arguments: { id: AGENT },
    options: { operator: OPERATOR },
    takesBody: true,
    notes: `
The body is what countersign sign FILE --key KEY --evidence TYPE prints; a pipe passes it
on with --data-file -.
`,
    examples: [['Send signed evidence', 'countersign evidence send COMMITMENT --data-file evidence.json']],
  });
  listCommand(group, 'list', 'listEvidence', {
    summary: 'list the evidence of an agent, the newest first',
    arguments: { id: AGENT },
    options: { operator: OPERATOR, source_type: choice('--type <type>', 'only this type', SOURCE_TYPES) },
    rows: 'evidence',
    columns: [
      column('EVENT', 'event_commitment_hash'),
      column('TYPE', 'source_type'),
      column('CREATED', 'created_at'),
    ],
    examples: [
      ['List the commits of an agent', 'countersign evidence list COMMITMENT --type github_commit_payload'],
    ],
  });
  callCommand(group, 'bundle', 'getEvidenceBundle', {
    summary: 'print all that verifies evidence offline, as one file',
    reads: true,
    arguments: { id: AGENT, event: EVENT },
    options: {
      cosigned: new Option('--cosigned', 'under a checkpoint that the quorum of witnesses has cosigned'),
    },
    examples: [['Save a bundle', 'countersign evidence bundle COMMITMENT EVENT > bundle.json']],
  });
  return [{ command }];
}
