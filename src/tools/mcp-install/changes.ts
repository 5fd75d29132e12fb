import { Failure } from '../../platform/failure.ts';
import { ambiguous, type Configuration, edited, type Format, type Server } from './configuration.ts';
import { sameValues, withCommandLine } from './values.ts';
import { lineOf, relationOf, type ServerChange, unwrapped, type Wrapper, wrapped } from './wrapping.ts';

/** A text, and how its servers are read. */
export interface Source {
  text: string;
  format: Format;
  groups: readonly (readonly string[])[];
}

/** What becomes of a configuration file. */
export interface Changes {
  /** The new text. */
  text: string;
  changed: readonly ServerChange[];
  unchanged: readonly Unchanged[];
}

/** A server that stays as it is, and why. */
interface Unchanged {
  path: readonly string[];
  reason: string;
}

/**
 * Wraps the servers of a configuration file.
 * @param names the servers to wrap; empty for all
 * @throws Failure for a name without a server that can be wrapped, and for a file that cannot be edited
 */
export function wrappedServers(source: Source, names: readonly string[], wrapper: Wrapper): Changes {
  const configuration = readConfiguration(source);
  const chosen = chosenServers(configuration, names);
  const changed: ServerChange[] = [];
  const unchanged: Unchanged[] = [...chosen.others];
  for (const server of chosen.servers) {
    const { path } = server;
    const relation = relationOf(server, wrapper.executable);
    if (relation.kind === 'wrapped')
      unchanged.push({ path, reason: reasonOfWrapped(relation.options, wrapper.options) });
    else if (relation.kind === 'own') unchanged.push({ path, reason: 'it is a command of this program' });
    else if (relation.kind === 'namesake') unchanged.push({ path, reason: NAMESAKE });
    else changed.push(wrapped(source.text, server, wrapper, source.format));
  }
  return { text: editedText(source, configuration, changed), changed, unchanged };
}

/**
 * Unwraps the servers that this program wrapped, however the rest of the file has changed since.
 * @param names the servers to unwrap; empty for all
 * @throws Failure for a name without a server, and for a file that cannot be edited
 */
export function unwrappedServers(source: Source, names: readonly string[], executable: string): Changes {
  const configuration = readConfiguration(source);
  const { servers } = chosenServers(configuration, names, true);
  const changed: ServerChange[] = [];
  const unchanged: Unchanged[] = [];
  for (const server of servers) {
    const { path } = server;
    const { kind } = relationOf(server, executable);
    if (kind === 'wrapped') changed.push(unwrapped(source.text, server, source.format));
    else if (kind === 'namesake') unchanged.push({ path, reason: NAMESAKE });
    else if (names.length > 0) unchanged.push({ path, reason: 'it is not wrapped' });
  }
  return { text: editedText(source, configuration, changed), changed, unchanged };
}

const NAMESAKE = 'something else called countersign starts it';

function reasonOfWrapped(current: readonly string[], wanted: readonly string[]): string {
  const isSame = current.join('\0') === wanted.join('\0');
  return isSame ? 'it is wrapped already' : 'it is wrapped already, with other options: uninstall it first';
}

/**
 * Returns the changes as they are when the text of a file from before them is restored; null if that text has
 * servers that are wrapped itself, such as one from an installation that changed meanwhile.
 * @throws Failure for a text that is not valid
 */
export function restored(changes: Changes, original: Source, executable: string): Changes | null {
  if (unwrappedServers(original, [], executable).changed.length > 0) return null;
  const { servers } = readConfiguration(original);
  const changed = changes.changed.map((change) => {
    const server = servers.find(({ path }) => isSamePath(path, change.path));
    return server === undefined ? change : { ...change, after: lineOf(server) };
  });
  return { ...changes, text: original.text, changed };
}

const isSamePath = (first: readonly string[], second: readonly string[]): boolean =>
  first.length === second.length && first.every((name, index) => name === second[index]);

/** Reads a configuration file. @throws Failure */
function readConfiguration({ text, format, groups }: Source): Configuration {
  try {
    return format.read(text, groups);
  } catch (error) {
    // What is nested so deeply that it fills the stack is no configuration.
    if (error instanceof RangeError) throw ambiguous('the file is nested too deeply');
    throw error;
  }
}

/** Returns the servers with some names. @throws Failure (exit code 2) for an unknown name */
function chosenServers(
  { servers, others }: Configuration,
  names: readonly string[],
  acceptsOthers = false,
): Pick<Configuration, 'servers' | 'others'> {
  if (names.length === 0) return { servers, others };
  for (const name of names) {
    if (servers.some((server) => server.name === name)) continue;
    const other = others.find((one) => one.name === name);
    if (other !== undefined && acceptsOthers) continue;
    if (other !== undefined)
      throw new Failure(`${name} cannot be wrapped: ${other.reason}`, 'leave it out of --server', 2);
    throw new Failure(`the file has no server ${name}`, knownNames([...servers, ...others]), 2);
  }
  const isChosen = ({ name }: Pick<Server, 'name'>): boolean => names.includes(name);
  return { servers: servers.filter(isChosen), others: others.filter(isChosen) };
}

function knownNames(servers: readonly Pick<Server, 'name'>[]): string {
  const names = [...new Set(servers.map(({ name }) => name))];
  if (names.length === 0) return 'it has no servers';
  const rest = names.length > 20 ? ` and ${names.length - 20} more` : '';
  return `its servers are ${names.slice(0, 20).join(', ')}${rest}`;
}

/**
 * Returns the edited text, after it was read again: nothing but the command lines of the changed servers may
 * be different.
 * @throws Failure if anything else is
 */
function editedText(
  source: Source,
  { values: before }: Configuration,
  changed: readonly ServerChange[],
): string {
  if (changed.length === 0) return source.text;
  const text = edited(
    source.text,
    changed.flatMap(({ edits }) => edits),
  );
  const expected = changed.reduce((values, { path, after }) => withCommandLine(values, path, after), before);
  let isExpected = false;
  try {
    isExpected = sameValues(source.format.read(text, source.groups).values, expected);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof RangeError)) throw error;
  }
  if (isExpected) return text;
  throw new Failure(
    'the file cannot be edited without changing something else in it',
    'change its servers by hand; countersign mcp install --help shows how',
  );
}
