import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand } from '../../platform/control/list-command.ts';
import type { TrustModule } from '../service/module.ts';
import { apiGroup, OPERATOR } from './operations.ts';

const AGENT = ['<commitment>', "the agent's subject commitment, 64 hexadecimal characters"] as const;

/** Returns the commands of agents. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('agents')
    .description('list, show, freeze and revoke agents; countersign enroll adds one')
    .addHelpText(
      'after',
      examples(
        ["List the operator's agents", 'countersign agents list'],
        ['Show what an agent did', 'countersign agents show COMMITMENT'],
      ),
    );
  const group = await apiGroup(command, surroundings);
  listCommand(group, 'list', 'listAgents', {
    summary: "list the operator's agents, the newest first",
    options: { operator: OPERATOR },
    rows: 'agents',
    columns: [
      column('AGENT', 'subject_commitment'),
      column('STATE', 'state'),
      column('ENROLLED', 'issued_at'),
      column('NAME', 'name'),
    ],
    examples: [["List the operator's agents", 'countersign agents list --all']],
  });
  callCommand(group, 'show', 'getProfile', {
    summary: "show an agent's public profile",
    reads: true,
    arguments: { hash: AGENT },
    examples: [['Show an agent', 'countersign agents show COMMITMENT']],
  });
  callCommand(group, 'passport', 'getPassport', {
    summary: "print an agent's signed passport",
    reads: true,
    arguments: { id: AGENT },
    examples: [['Save a passport', 'countersign agents passport COMMITMENT > passport.json']],
  });
  callCommand(group, 'assess', 'assessAgent', {
    summary: "send what an assessor has signed about an agent's controls",
    arguments: { id: AGENT },
    takesBody: true,
    examples: [['Send an assessment', 'countersign agents assess COMMITMENT --data-file assessment.json']],
  });
  listCommand(group, 'assessments', 'listAssessments', {
    summary: 'list what others assessed of an agent, the newest first',
    arguments: { id: AGENT },
    rows: 'assessments',
    columns: [
      column('ASSESSMENT', 'assessment_id'),
      column('ASSESSOR', 'assessor_name'),
      column('CONFIRMS', 'confirms'),
      column('CREATED', 'created_at'),
    ],
    examples: [['List the assessments of an agent', 'countersign agents assessments COMMITMENT']],
  });
  callCommand(group, 'freeze', 'freezeAgent', {
    summary: 'let nothing leave an agent, and let its hires stand still',
    arguments: { id: AGENT },
    options: {
      reason: new Option('--reason <text>', 'why; the sponsor of the agent sees it').makeOptionMandatory(),
    },
    asks: ({ id }) => `freeze the agent ${id}`,
    notes: `
For administrators. The agent spends, transfers, hires, withdraws and delivers
nothing, and still receives. countersign credits claw-back takes credits from it.
`,
    examples: [['Freeze an agent', 'countersign agents freeze COMMITMENT --reason "disputed payment"']],
  });
  callCommand(group, 'unfreeze', 'unfreezeAgent', {
    summary: 'end a freeze',
    arguments: { id: AGENT },
    asks: ({ id }) => `end the freeze of the agent ${id}`,
    notes: `
Its hires continue: deadline and accept_by have moved by the time that they stood still.
`,
    examples: [['End a freeze', 'countersign agents unfreeze COMMITMENT']],
  });
  callCommand(group, 'revoke', 'revokeAgent', {
    summary: 'revoke an agent, which cannot be taken back',
    arguments: { id: AGENT },
    options: { reason: new Option('--reason <text>', 'why; it is public') },
    asks: ({ id }) => `revoke the agent ${id}, which cannot be taken back`,
    examples: [['Revoke an agent', 'countersign agents revoke COMMITMENT --reason "key lost"']],
  });
  return [{ command }];
}
