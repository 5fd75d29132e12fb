import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import type { TrustModule } from '../service/module.ts';
import { apiGroup } from './operations.ts';

const EXAMPLE = ['Save a credential', 'countersign credentials get COMMITMENT > credential.json'] as const;

/** Returns the commands of credentials. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('credentials')
    .description('get and revoke W3C credentials of agents; countersign verify verifies them')
    .addHelpText('after', examples(EXAMPLE));
  const group = await apiGroup(command, surroundings);
  callCommand(group, 'get', 'getReputationCredential', {
    summary: 'get the reputation credential of an agent',
    reads: true,
    arguments: {
      commitment: ['<commitment>', "the agent's subject commitment, 64 hexadecimal characters"],
    },
    examples: [EXAMPLE],
  });
  callCommand(group, 'revoke', 'revokeCredential', {
    summary: 'revoke a credential that this service issued',
    arguments: { id: ['<credential>', 'the id of the credential, as its last path segment has it'] },
    asks: ({ id }) => `revoke the credential ${id}`,
    examples: [['Revoke a credential', 'countersign credentials revoke CREDENTIAL']],
  });
  return [{ command }];
}
