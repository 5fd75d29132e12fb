import { confirmed } from '../../platform/terminal/confirm.ts';
import { Backups } from './backups.ts';
import { type Changes, restored, type Source, unwrappedServers, wrappedServers } from './changes.ts';
import { type ClientName, configurationFile, configurationOf, type FileOptions } from './clients.ts';
import { type ConfigFile, decoded, readConfigFile, writeConfigFile } from './config-file.ts';
import { shownChange, summary } from './shown.ts';
import type { Wrapper } from './wrapping.ts';

/** What `install` and `uninstall` work on. */
export interface Request extends FileOptions {
  client: ClientName;
  /** The servers; empty for all. */
  servers: readonly string[];
  /** Whether the change is made without a question. */
  isConfirmed: boolean;
}

/**
 * Wraps the servers of a client: shows the change, asks, keeps a backup and writes the file.
 * @returns what became of each server, a line each
 * @throws Failure
 */
export async function install(request: Request, wrapper: Wrapper, backups = new Backups()): Promise<string> {
  const { file, mark, source } = opened(request);
  const changes = wrappedServers(source, request.servers, wrapper);
  if (changes.changed.length > 0) {
    await agreed(request, file, changes, '');
    const bytes = Buffer.from(mark + changes.text);
    const backup = backups.keep(file, bytes);
    writeConfigFile(file, bytes);
    return summary(file, changes, 'wrapped', `the file as it was is in ${backup}`);
  }
  return summary(file, changes, 'wrapped');
}

/**
 * Takes back what `install` did: restores the bytes of a file that is as it left it, else unwraps the servers
 * that it wrapped and keeps everything else.
 * @param executable the path of this program
 * @returns what became of each server, a line each
 * @throws Failure
 */
export async function uninstall(
  request: Request,
  executable: string,
  backups = new Backups(),
): Promise<string> {
  const { file, mark, source } = opened(request);
  const changes = unwrappedServers(source, request.servers, executable);
  if (changes.changed.length > 0) {
    const backup = request.servers.length === 0 ? backups.of(file) : null;
    const original = backup === null ? null : decoded({ ...file, bytes: backup.bytes }).text;
    const whole = original === null ? null : restored(changes, { ...source, text: original }, executable);
    if (backup !== null && whole !== null) {
      await agreed(request, file, whole, 'The file is as install left it: its former bytes are restored.\n');
      writeConfigFile(file, backup.bytes);
      backups.remove(backup);
    } else {
      await agreed(request, file, changes, '');
      writeConfigFile(file, Buffer.from(mark + changes.text));
    }
  }
  return summary(file, changes, 'unwrapped');
}

function opened(request: Request): { file: ConfigFile; mark: string; source: Source } {
  const { client, configFile } = request;
  const hint =
    configFile === undefined
      ? `check that ${client} is configured, or name its file with --config-file`
      : 'check the path';
  const file = readConfigFile(configurationFile(client, request), hint);
  const { mark, text } = decoded(file);
  return { file, mark, source: { text, ...configurationOf(client) } };
}

/**
 * Shows a change and asks for it. With --yes, shows nothing: command lines can contain keys.
 * @throws Failure
 */
async function agreed(
  { isConfirmed }: Request,
  file: ConfigFile,
  { changed }: Changes,
  note: string,
): Promise<void> {
  if (isConfirmed) return;
  process.stderr.write(`${shownChange(file, changed)}${note}`);
  await confirmed(`Change ${changed.length === 1 ? 'this server' : `these ${changed.length} servers`}?`);
}
