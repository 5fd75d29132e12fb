import { Value } from '@sinclair/typebox/value';
import { issuesOf } from '../../../../platform/http/errors/issues.ts';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '../../../../proof/encoding/json.ts';
import type { Message } from '../messages/task.ts';
import type { Outcome, Skill } from '../skill.ts';
import { skills } from '../skills/skills.ts';
import type { OpenTask } from './open-tasks.ts';

/** The characters that a question shows of the name of a member. */
const LONGEST_NAME = 200;

/** What a client's message says: words, structured data, and the skill that it names. */
export interface ParsedMessage {
  text: string;
  data: JsonObject | null;
  skill: string | null;
}

/** What to do with a message: run a skill with a valid input, or ask the client for something. */
export type Decision =
  | { skill: Skill; input: JsonObject; question: null }
  | { skill: Skill | null; input: JsonObject; question: Outcome };

/** The skill that the action `decline` is for. */
const DECLINE = 'decline_hire';

/** The members in which some clients send the input of a skill as an object. No skill has such a member. */
const WRAPPERS = ['input', 'parameters'] as const;

/**
 * Reads a message. Data parts are merged; a text that is a JSON object is data. `{skill, input: {…}}` and
 * `{skill, parameters: {…}}` are the same as the members of the object beside `skill`. The skill is named by
 * the member `skill` of the data, else of the metadata of the message or of the request.
 */
export function parseMessage(
  { parts, metadata }: Message,
  requestMetadata: JsonObject | null,
): ParsedMessage {
  const texts: string[] = [];
  let data: JsonObject | null = null;
  for (const part of parts) {
    const object = 'text' in part ? objectIn(part.text) : part.data;
    if (isJsonObject(object)) data = { ...(data ?? {}), ...object };
    else if ('text' in part) texts.push(part.text);
  }
  const skill = [data?.skill, metadata?.skill, requestMetadata?.skill].find((one) => typeof one === 'string');
  return {
    text: texts.join('\n'),
    data: data === null ? null : unwrapped(data),
    skill: typeof skill === 'string' ? skill : null,
  };
}

function unwrapped(data: JsonObject): JsonObject {
  const wrapper = WRAPPERS.find((name) => isJsonObject(data[name]));
  if (wrapper === undefined) return data;
  const { [wrapper]: inner, ...rest } = data;
  return isJsonObject(inner) ? { ...inner, ...rest } : data;
}

/** Returns the skill that a message names, as a member or in plain words; null if it names none. */
export function skillNamed({ skill, text }: ParsedMessage): string | null {
  return skill ?? skills.find((one) => one.understand(text, false) !== null)?.id ?? null;
}

/**
 * Returns what a message means that belongs to no task of the caller: exactly `decline`, or `{action:
 * "decline"}`, is for the hire that it refers to or names. A message that names another skill, or has words
 * beside the data, may mean something else, and a decline cannot be taken back.
 * @param references the ids of the tasks that the message refers to
 */
export function withReference(message: ParsedMessage, references: readonly string[]): ParsedMessage {
  const { text, data, skill } = message;
  if ((skill !== null && skill !== DECLINE) || (data !== null && text.trim() !== '')) return message;
  const { action, task_id, skill: _, ...others } = data ?? { action: text.trim().replace(/[.!]$/, '') };
  const said = typeof action === 'string' ? action.toLowerCase() : null;
  if (said !== 'decline' || Object.keys(others).length > 0) return message;
  const [only, ...more] = references;
  const hire = task_id ?? (more.length === 0 ? only : undefined);
  return { text: '', skill: DECLINE, data: hire === undefined ? {} : { task_id: hire } };
}

/** Returns the one skill that has all members of the data; null if none has, or several have. */
function skillThatFits(data: JsonObject | null): string | null {
  const names = Object.keys(data ?? {});
  if (names.length === 0) return null;
  const [fitting, ...others] = skills.filter(
    ({ input, mustBeNamed = false }) =>
      !mustBeNamed && names.every((name) => Object.hasOwn(input.properties, name)),
  );
  return others.length === 0 ? (fitting?.id ?? null) : null;
}

/** Returns the object that a text is the JSON of; null for any other text. */
function objectIn(text: string): JsonObject | null {
  if (!/^\s*\{[\s\S]*\}\s*$/.test(text)) return null;
  try {
    const value = parseJson(text, { maxItems: 1000 });
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

/**
 * Decides what a message asks for, together with what the task already knows.
 * @param openTasks what a client that names nothing can mean
 */
export function decide(
  known: { skill: string | null; input: JsonObject },
  message: ParsedMessage,
  openTasks: readonly OpenTask[] = [],
): Decision {
  const { text, data } = message;
  const id = message.skill ?? known.skill ?? skillNamed(message) ?? skillThatFits(data);
  const skill = skills.find((one) => one.id === id) ?? null;
  if (skill === null) return { skill, input: {}, question: whichSkill(id, openTasks) };
  const { skill: _, ...members } = data ?? {};
  const said = text === '' ? null : skill.understand(text, true);
  const newest = { ...said, ...members };
  const earlier = known.skill === skill.id ? withoutReplaced(known.input, newest, skill) : {};
  const input = { ...earlier, ...newest };
  const issues = issuesOf(Value.Errors(skill.input, input));
  const wrong = Object.keys(issues);
  if (wrong.length === 0) return { skill, input, question: null };
  // A member that the skill does not have is dropped: no later message could remove it.
  const right = Object.entries(input).filter(
    ([name]) =>
      Object.hasOwn(skill.input.properties, name) &&
      !wrong.some((path) => path === name || path.startsWith(`${name}.`)),
  );
  return { skill, input: Object.fromEntries(right), question: questionOf(skill, issues) };
}

/** Returns what the task knows without the members that the newest message gives an alternative for. */
function withoutReplaced(known: JsonObject, newest: JsonObject, { alternatives = [] }: Skill): JsonObject {
  if (!alternatives.some((name) => Object.hasOwn(newest, name))) return known;
  return Object.fromEntries(Object.entries(known).filter(([name]) => !alternatives.includes(name)));
}

/**
 * Returns the question for what is missing or wrong in the input of a skill, which the skill completes.
 * @param problemsByMember the problems by member
 */
export function questionOf(
  skill: Skill,
  problemsByMember: Readonly<Record<string, readonly string[]>>,
): Outcome {
  // The client chooses the names, and the question is stored.
  const issues = Object.fromEntries(
    Object.entries(problemsByMember).map(([name, problems]) => [
      name.slice(0, LONGEST_NAME).toWellFormed(),
      problems,
    ]),
  );
  const listed = Object.entries(issues).map(([name, problems]) => ({ name, said: problems.join(', ') }));
  const wrong = listed.filter(({ said }) => !said.startsWith('is required'));
  const problems = wrong.map(({ name, said }) => `${name} ${said}`).join('; ');
  const isUnknownOnly = listed.length > 0 && listed.every(({ said }) => said === 'is not a known field');
  const rest = isUnknownOnly ? 'Send the data again without it.' : skill.ask(issues);
  return {
    state: 'input-required',
    text: problems === '' ? rest : `${problems}. ${rest}`,
    data: {
      skill: skill.id,
      issues: Object.fromEntries(Object.entries(issues).map(([name, said]) => [name, [...said]])),
    },
    missing: listed.filter(({ said }) => said.startsWith('is required')).map(({ name }) => name),
  };
}

function whichSkill(id: string | null, openTasks: readonly OpenTask[]): Outcome {
  const unknown = id === null ? '' : `There is no skill "${id.slice(0, 64)}". `;
  const open =
    openTasks.length === 0 ? '' : `Open in this conversation: ${openTasks.map(inWords).join('; ')}. `;
  const orTask = openTasks.length === 0 ? '' : ', or name a task by its id';
  const names = skills.map((skill) => skill.id);
  return {
    state: 'input-required',
    text: `${unknown}${open}Say what you need, or name a skill: ${names.join(', ')}${orTask}. Example: ${skills[0]?.examples[0] ?? ''}`,
    data: { skills: skills.map(({ id: name, description }) => ({ id: name, description })) },
    missing: ['skill'],
  };
}

function inWords({ taskId, skill, state, amount }: OpenTask): string {
  return `${taskId} (${skill}, ${state}${amount === null ? '' : `, ${amount} credits`})`;
}
