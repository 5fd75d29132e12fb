import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { addFlags, commandSettings, manualHelp } from '../platform/config/command-line.ts';
import { Failure } from '../platform/failure.ts';
import { witnessSettings } from '../witness/settings.ts';
import { type RunningServer, runServer } from './run-server.ts';
import type { Services } from './services.ts';

/** Returns the command `witness`. A witness has no API keys; it cosigns the logs of other operators. */
export function witnessCommand(services: Services): Command {
  const command = new Command('witness')
    .description('cosign the checkpoints of transparency logs of other installations')
    .helpGroup(GROUPS.serve)
    .addHelpText(
      'after',
      examples([
        'Cosign the logs that a policy names',
        'countersign witness --name witness.example --logs logs.policy --data ./witness',
      ]),
    );
  return manualHelp(addFlags(command, services.witnessTable, { serving: true }))
    .addHelpText(
      'after',
      `
A witness (c2sp.org/tlog-witness) signs a checkpoint only after the log has proven that it contains
everything that was signed before. The first start creates its keys, one for Ed25519 and one for
ML-DSA-44, and fixes its name permanently. An example of the file for --logs:

  log <vkey>
  quorum none

The lines "log <vkey>" of each log are at <its service>/log/<name>/vkeys; copy them as they are. <name>
is receipts, keys, revocations, evidence and accounts: countersign verify --complete and --linked need
a cosigned log of accounts. Never restore an older copy of the data directory: a witness must know
everything that it has signed.`,
    )
    .action((_options: object, self: Command) => {
      const { config } = commandSettings(self, services.witnessTable, services.everySetting());
      if (witnessSettings.data.in(config) === ':memory:') {
        throw new Failure('a witness must store what it has signed', 'specify a directory with --data', 2);
      }
      return runServer({
        name: 'witness',
        title: 'witness of transparency logs',
        settings: witnessSettings,
        config,
        links: (url) => [['Witness', url]],
        open: async ({ directory, log, recorder, url }): Promise<RunningServer> => {
          const { openWitness } = await import('../witness/service.ts');
          const { witness, vkeys, app, background, checkFiles, close } = await openWitness(
            directory,
            config,
            log,
            { recorder, modules: services.capabilities.witness },
          );
          const { name } = witness.identity;
          return {
            app,
            background,
            checkFiles,
            ready: { name, vkeys },
            announcement: ['Lines of a policy that trusts it:', '', ...policyLines(name, vkeys, url)],
            close,
          };
        },
      });
    });
}

/**
 * Returns the C2SP tlog-policy lines for logs that want cosignatures. A witness in a policy has one key, so
 * there is a line per key.
 */
function policyLines(name: string, vkeys: readonly string[], url: string): string[] {
  const [ed25519 = '', mlDsa44 = ''] = vkeys;
  return [`  witness ${name} ${ed25519} ${url}`, `  witness ${name}/ml-dsa-44 ${mlDsa44} ${url}`];
}
