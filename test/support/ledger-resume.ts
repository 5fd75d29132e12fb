/** How a simulation of the ledger goes on after it was killed. */
import { HOUR_MS } from '../../src/platform/time/units.ts';
import { type Effect, type History, HOLD, type Line } from './ledger-history.ts';
import type { LedgerModel } from './ledger-model.ts';
import type { Operation } from './ledger-operations.ts';
import { isRequest } from './ledger-requests.ts';
import { LedgerRules } from './ledger-rules.ts';
import { LedgerSimulation } from './ledger-simulation.ts';
import { newModel, newWorld, reopenedWorld, type StoredWorld } from './ledger-world.ts';
import { VirtualTime } from './virtual-time.ts';

/** So early that fsck, which reads the true clock, finds no date in the future after years of operations. */
const BEGIN = Date.UTC(2001, 0, 1);

type Of<Kind extends Line['kind']> = Extract<Line, { kind: Kind }>;

/** A batch during which the simulation was killed. */
interface Cut {
  batch: Of<'batch'>;
  ran: Of<'ran'>[];
  answered: Of<'answered'>[];
}

/** What a history says. */
interface Past {
  world: StoredWorld;
  time: number;
  batches: { batch: Of<'batch'>; applied: Of<'applied'> }[];
  cut: Cut | null;
  /** The newest number of a transaction. */
  last: number;
}

/** Begins a simulation in a directory with a history. */
export async function begun(data: string, history: History): Promise<LedgerSimulation> {
  const time = new VirtualTime(BEGIN);
  const { stored, ...world } = await newWorld(time, data);
  await history.begin(world.app.run, 0);
  history.append({ kind: 'world', world: stored });
  return new LedgerSimulation(
    world,
    newModel(() => time.now()),
    'op1',
    history,
  );
}

/**
 * Goes on with a killed simulation. Every operation whose response came must be committed; of the others, the
 * transactions that ran first are, and no other. Then the service must be as the model is after these. A
 * request without a response is sent again: what was committed must not be booked twice.
 * @returns the simulation, and how many requests had no response
 */
export async function resumed(data: string, history: History): Promise<[LedgerSimulation, number]> {
  const marks = history.takeMarks();
  const lines = history.read();
  const past = pastOf(lines);
  const time = new VirtualTime(past.time);
  // The time of the model, while it does again what was done.
  let at: number | null = past.world.time;
  const model = newModel(() => at ?? time.now());
  const world = await reopenedWorld(time, data, past.world);
  const name = `op${lines.length}`;
  const simulation = new LedgerSimulation(world, model, name, history);
  for (const { batch, applied } of past.batches) {
    model.pass(batch.hours * HOUR_MS);
    at = batch.time;
    for (const effect of applied.effects) repeat(simulation, effect);
    simulation.sent += applied.sent;
  }
  simulation.caughtUp();
  let unanswered: Operation[] = [];
  if (past.cut !== null) {
    const { batch, answered } = past.cut;
    model.pass(batch.hours * HOUR_MS);
    at = batch.time;
    for (const [id, receipt] of batch.receipts) world.participants.receipts.set(id, receipt);
    applyCut(simulation, model, past.cut, marks);
    const known = new Set(answered.map(({ send }) => send));
    unanswered = batch.operations.filter((_, send) => !known.has(send));
  }
  at = null;
  await history.begin(world.app.run, past.last);
  simulation.closeCut(past.cut?.answered.length ?? 0);
  await simulation.compare();
  await simulation.run(unanswered.filter(isRequest), 0, false);
  return [simulation, unanswered.length];
}

function pastOf(lines: readonly Line[]): Past {
  const [first] = lines;
  if (first?.kind !== 'world') throw new Error('a history begins with its world');
  const past: Past = { world: first.world, time: first.world.time, batches: [], cut: null, last: 0 };
  for (const line of lines) {
    if (line.kind === 'batch') {
      past.cut = { batch: line, ran: [], answered: [] };
      past.time = line.time;
    } else if (line.kind === 'ran') {
      past.cut?.ran.push(line);
      past.last = line.number;
    } else if (line.kind === 'answered') past.cut?.answered.push(line);
    else if (line.kind === 'applied') {
      if (past.cut !== null) past.batches.push({ batch: past.cut.batch, applied: line });
      past.cut = null;
    }
  }
  return past;
}

function repeat(simulation: LedgerSimulation, effect: Effect): void {
  if ('swept' in effect) simulation.swept(effect.swept);
  else if ('held' in effect) simulation.held();
  else simulation.ended(effect.operation, effect.code);
}

/** Applies what was committed of a batch. @throws Error if something else is missing than its end */
function applyCut(
  simulation: LedgerSimulation,
  model: LedgerModel,
  { batch, ran, answered }: Cut,
  marks: ReadonlySet<number>,
): void {
  const rules = new LedgerRules(model);
  const newest = Math.max(0, ...marks);
  const committed = new Set<number>();
  for (const { number, send, movements } of ran) {
    if (number > newest) break;
    const operation = send < 0 ? null : batch.operations[send];
    if (operation === undefined) throw new Error(`there is no request ${send}`);
    if (operation === null) {
      if (!marks.has(number)) throw new Error(`transaction ${number} of the scheduler is missing`);
      if (send === HOLD) simulation.held();
      for (const movement of send === HOLD ? [] : movements) simulation.swept(movement);
      continue;
    }
    const refusals = rules.refusals(operation);
    const storesRefusal = refusals.includes('limit_exceeded');
    if (marks.has(number) !== (refusals.length === 0 || storesRefusal))
      throw new Error(
        `transaction ${number}: ${JSON.stringify(operation)}; committed: ${marks.has(number)}; the model has ${refusals}`,
      );
    if (!marks.has(number)) continue;
    committed.add(send);
    simulation.ended(operation, storesRefusal ? 'limit_exceeded' : null);
  }
  const lost = answered.find(({ send, code }) => code === null && !committed.has(send));
  if (lost !== undefined)
    throw new Error(`${JSON.stringify(batch.operations[lost.send])} was accepted and is gone`);
}
